import type { ConfirmCodeSent } from '@kestrel/contract'
import { useEffect, useRef, useState } from 'react'

import { describeFailure } from '../../app/failure.ts'
import { linkClass } from '../../app/page.tsx'
import { useCountdown } from '../../app/use-now.ts'
import { clockTime } from '../../format/dates.ts'
import { gbp } from '../../format/money.ts'
import { announce } from '../../parts/announce.ts'
import { Button } from '../../parts/button.tsx'
import { CodeField } from '../../parts/code-field.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { ApiError } from '../../server/client.ts'
import { codeProblem } from '../../codes/code-problem.ts'
import { MailboxLink } from '../../codes/mailbox-link.tsx'
import type { Sender } from './use-send.ts'

interface ConfirmProps {
  readonly sent: ConfirmCodeSent
  readonly confirming: Sender['confirming']
}

const RESEND_AFTER_S = 30

/** Live only: the mail names amount and recipient, and the code works for exactly these. */
export function ConfirmDialog({ sent, confirming }: ConfirmProps) {
  const { isPaying, codeError, onCode, onClose } = confirming
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (codeError === null) return
    setCode('')
    field.current?.focus()
  }, [codeError])
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
          if (code.length === 6 && !isPaying) onCode(code)
        }}
      >
        <CodeField
          label="6-digit code"
          value={code}
          onChange={setCode}
          onComplete={onCode}
          error={codeError === null ? undefined : codeProblem(codeError)}
          isBusy={isPaying}
          fieldRef={field}
        />
        <Resend sent={sent} confirming={confirming} />
        <MailboxLink />
        <DialogActions>
          <Button aria-disabled={isPaying || undefined} onClick={onClose}>
            Go back
          </Button>
          <Button kind="primary" type="submit" busy={isPaying ? 'Sending…' : false}>
            Send {gbp(sent.amount_gbp)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** While another code is asked for, and when there is none to be had, the one before still works. */
function Resend({ sent, confirming: { isPaying, isAsking, askError, onResend } }: ConfirmProps) {
  const left = useCountdown(RESEND_AFTER_S, sent.expires_at)
  const first = useRef(sent.expires_at)
  useEffect(() => {
    if (sent.expires_at !== first.current) announce('A new code is on its way. The one before no longer works.')
  }, [sent.expires_at])
  return (
    <div className="mt-3 text-sm">
      {askError === null ? null : (
        <p role="alert" className="mb-1 text-bad">
          {describeFailure(askError).message}{' '}
          {askError instanceof ApiError
            ? 'The code that you have still works.'
            : 'If a new mail comes, its code is the one.'}
        </p>
      )}
      {left > 0 ? (
        <span className="num text-muted">Send a new code in {left} s</span>
      ) : (
        <button
          type="button"
          aria-disabled={isAsking || isPaying || undefined}
          className={linkClass}
          onClick={() => (isAsking || isPaying ? undefined : onResend())}
        >
          {isAsking ? 'Sending a new code…' : 'Send a new code'}
        </button>
      )}
    </div>
  )
}
