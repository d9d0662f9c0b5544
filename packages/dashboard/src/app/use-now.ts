import { useEffect, useState } from 'react'

/** The time, refreshed while somebody looks at a countdown; null where nothing counts down. */
export function useNow(everyMs: number | null): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    if (everyMs === null) return
    const timer = setInterval(() => setNow(new Date()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** Whole seconds until `seconds` after the moment `restart` last changed. */
export function useCountdown(seconds: number, restart: unknown): number {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const end = performance.now() + seconds * 1_000
    const tick = () => setLeft(Math.max(0, Math.ceil((end - performance.now()) / 1_000)))
    tick()
    const timer = setInterval(tick, 500)
    return () => clearInterval(timer)
  }, [seconds, restart])
  return left
}
