// Leaving a field by pressing a button can bring up a note at the field. If the note came while the button is held down, it
// would push the button away from under the pointer, and the press would count for nothing.
import { useState, useSyncExternalStore } from 'react'

let isDown = false
const listeners = new Set<() => void>()

function turn(next: boolean): void {
  isDown = next
  for (const listener of listeners) listener()
}

// The click comes right after the pointer is up, and belongs to the press.
const release = () => void setTimeout(turn, 0, false)
document.addEventListener('pointerdown', () => turn(true), true)
document.addEventListener('pointerup', release, true)
document.addEventListener('pointercancel', release, true)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The value, but as it was when the pointer went down until it is up again. */
export function useHeldStill<T>(value: T): T {
  const isHeld = useSyncExternalStore(subscribe, () => isDown)
  const [shown, setShown] = useState(value)
  if (isHeld) return shown
  if (!Object.is(shown, value)) setShown(value)
  return value
}
