import { useEffect, useRef } from 'react'

import { linkClass } from '../app/page.tsx'
import { useCountdown } from '../app/use-now.ts'
import { announce } from '../parts/announce.ts'

export interface ResendProps {
  /** When the code that was sent last stops working: another moment means another code. */
  readonly expiresAt: string
  readonly isBusy: boolean
  readonly isAsking: boolean
  /** Why no new code could be sent; null when nothing went wrong. */
  readonly problem: string | null
  readonly onResend: () => void
}

const RESEND_AFTER_S = 30

/** Under the field for a code: the way to a new one, half a minute after the last. */
export function Resend({ expiresAt, isBusy, isAsking, problem, onResend }: ResendProps) {
  const left = useCountdown(RESEND_AFTER_S, expiresAt)
  const first = useRef(expiresAt)
  useEffect(() => {
    if (expiresAt !== first.current) announce('A new code is on its way. The one before no longer works.')
  }, [expiresAt])
  return (
    <div className="mt-3 text-sm">
      {problem === null ? null : (
        <p role="alert" className="mb-1 text-bad">
          {problem}
        </p>
      )}
      {left > 0 ? (
        <span className="num text-muted">Send a new code in {left} s</span>
      ) : (
        <button
          type="button"
          aria-disabled={isAsking || isBusy || undefined}
          className={linkClass}
          onClick={() => (isAsking || isBusy ? undefined : onResend())}
        >
          {isAsking ? 'Sending a new code…' : 'Send a new code'}
        </button>
      )}
    </div>
  )
}
