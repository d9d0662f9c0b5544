import { useEffect, useRef, useState } from 'react'

const PAUSE_MS = 300

/**
 * Passes typed text on when the typing stops, or at once when the field is left, and never later. Text that is
 * not ready yet, such as half a date, waits until the field is left.
 */
export function useTyped(value: string, onChange: (value: string) => void, isReady: (text: string) => boolean) {
  const [typed, setTyped] = useState(value)
  const asked = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    // Takes over only changes from outside: our own may come back after more was typed.
    if (value !== asked.current) setTyped(value)
    asked.current = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const ask = (text: string) => {
    clearTimeout(timer.current)
    if (text === asked.current) return
    asked.current = text
    onChange(text)
  }
  return {
    typed,
    type: (text: string) => {
      setTyped(text)
      clearTimeout(timer.current)
      if (isReady(text)) timer.current = setTimeout(() => ask(text), PAUSE_MS)
    },
    leave: () => ask(typed),
  }
}
