import { useState } from 'react'

import { linkClass } from '../../app/page.tsx'
import { useCountdown } from '../../app/use-now.ts'
import { clockTime } from '../../format/dates.ts'
import { gbp } from '../../format/money.ts'
import { Button } from '../../parts/button.tsx'
import { CodeField } from '../../parts/code-field.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import type { ConfirmCodeSent } from '../../server/shapes.ts'
import { codeProblem } from '../sign-in/code-problem.ts'
import { MailboxLink } from '../sign-in/code-step.tsx'

interface ConfirmProps {
  readonly sent: ConfirmCodeSent
  readonly problem: Error | null
  readonly isSending: boolean
  readonly onCode: (code: string) => void
  readonly onResend: () => void
  readonly onClose: () => void
}

const RESEND_AFTER_S = 30

/** Live only: the mail names amount and recipient, and the code works for exactly these. */
export function ConfirmDialog({ sent, problem, isSending, onCode, onResend, onClose }: ConfirmProps) {
  const [code, setCode] = useState('')
  const left = useCountdown(RESEND_AFTER_S, sent.expires_at)
  return (
    <Dialog
      title="Enter the code we emailed to you"
      description={
        <>
          It went to {sent.sent_to} and works for {gbp(sent.amount_gbp)} to {sent.recipient_name} only, until{' '}
          {clockTime(sent.expires_at)}. Check that the mail says the same.
        </>
      }
      isOpen
      onClose={onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (code.length === 6 && !isSending) onCode(code)
        }}
      >
        <CodeField
          label="6-digit code"
          value={code}
          onChange={setCode}
          onComplete={onCode}
          error={problem === null ? undefined : codeProblem(problem)}
          isBusy={isSending}
        />
        <div className="mt-3 text-sm">
          {left > 0 ? (
            <span className="num text-muted">Send a new code in {left} s</span>
          ) : (
            <button type="button" className={linkClass} onClick={onResend}>
              Send a new code
            </button>
          )}
        </div>
        <MailboxLink />
        <DialogActions>
          <Button onClick={onClose}>Go back</Button>
          <Button kind="primary" type="submit" busy={isSending ? 'Sending…' : false}>
            Send {gbp(sent.amount_gbp)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
