import { type ReactNode, useEffect, useState } from 'react'

const DELAY_MS = 150

/** Shows its children only when the wait has become noticeable, so that fast answers do not flicker. */
export function Delayed({ children }: { children: ReactNode }) {
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return isDue ? children : <div className="invisible">{children}</div>
}

export function GreyBar({ className = '' }: { className?: string }) {
  return <div className={`animate-pulse rounded bg-selected ${className}`} />
}

/** Rows of the height that the real ones will have. */
export function Skeleton({ rows = 5 }: { rows?: number }) {
  return (
    <Delayed>
      <div role="status" aria-busy="true" aria-label="Loading" className="p-5">
        {Array.from({ length: rows }, (_, index) => (
          <div key={index} className="flex h-10 items-center gap-6">
            <GreyBar className="h-3.5 w-2/5" />
            <GreyBar className="h-3.5 w-1/5" />
            <GreyBar className="ml-auto h-3.5 w-20" />
          </div>
        ))}
      </div>
    </Delayed>
  )
}
