import { type KeyboardEvent, useState } from 'react'

/** Lets the arrow keys go through the parts of a chart, and Enter open one. */
export function useReadAlong(count: number, onOpen?: (index: number) => void) {
  const [active, setActive] = useState<number | null>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && active !== null) onOpen?.(active)
    const next = stepTo(event.key, active, count)
    if (next === null) return
    event.preventDefault()
    setActive(next)
  }
  return {
    active,
    setActive,
    reading: { tabIndex: 0, onKeyDown, onBlur: () => setActive(null), onMouseLeave: () => setActive(null) },
  }
}

/** Which part an arrow key leads to; null when the key means nothing here. */
function stepTo(key: string, from: number | null, count: number): number | null {
  if (count === 0) return null
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  if (key === 'ArrowRight') return from === null ? 0 : Math.min(count - 1, from + 1)
  if (key === 'ArrowLeft') return from === null ? count - 1 : Math.max(0, from - 1)
  return null
}
