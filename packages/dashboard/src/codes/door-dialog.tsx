import type { DoorCodeSent } from '@kestrel/contract'
import { useEffect, useRef, useState } from 'react'

import { describeFailure } from '../app/failure.ts'
import { linkClass } from '../app/page.tsx'
import { useCountdown } from '../app/use-now.ts'
import { clockTime } from '../format/dates.ts'
import { announce } from '../parts/announce.ts'
import { Button } from '../parts/button.tsx'
import { CodeField } from '../parts/code-field.tsx'
import { Dialog, DialogActions } from '../parts/dialog.tsx'
import { codeProblem } from './code-problem.ts'
import { MailboxLink } from './mailbox-link.tsx'

interface DoorProps {
  readonly sent: DoorCodeSent
  readonly verb: string
  readonly isBusy: boolean
  readonly codeError: Error | null
  readonly isAsking: boolean
  readonly askError: Error | null
  readonly onCode: (code: string) => void
  readonly onResend: () => void
  readonly onClose: () => void
}

const RESEND_AFTER_S = 30

/** The mail says what the code confirms, and it works for exactly that. */
export function DoorDialog(props: DoorProps) {
  const { sent, verb, isBusy, codeError, onCode, onClose } = props
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
          It went to {sent.sent_to} and works until {clockTime(sent.expires_at)}, for this only:{' '}
          <strong className="font-semibold text-ink">{sent.confirms}</strong>. Check that the mail says the same.
        </>
      }
      isOpen
      onClose={onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (code.length === 6 && !isBusy) onCode(code)
        }}
      >
        <CodeField
          label="6-digit code"
          value={code}
          onChange={setCode}
          onComplete={onCode}
          error={codeError === null ? undefined : codeProblem(codeError)}
          isBusy={isBusy}
          fieldRef={field}
        />
        <Resend {...props} />
        <MailboxLink />
        <DialogActions>
          <Button aria-disabled={isBusy || undefined} onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" busy={isBusy ? 'Checking…' : false}>
            {verb}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function Resend({ sent, isBusy, isAsking, askError, onResend }: DoorProps) {
  const left = useCountdown(RESEND_AFTER_S, sent.expires_at)
  const first = useRef(sent.expires_at)
  useEffect(() => {
    if (sent.expires_at !== first.current) announce('A new code is on its way. The one before no longer works.')
  }, [sent.expires_at])
  return (
    <div className="mt-3 text-sm">
      {askError === null ? null : (
        <p role="alert" className="mb-1 text-bad">
          {describeFailure(askError).message}
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
