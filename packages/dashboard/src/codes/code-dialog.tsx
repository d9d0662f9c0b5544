import { type ReactNode, useEffect, useRef, useState } from 'react'

import { Button } from '../parts/button.tsx'
import { CodeField } from '../parts/code-field.tsx'
import { Dialog, DialogActions } from '../parts/dialog.tsx'
import { codeProblem } from './code-problem.ts'
import { MailboxLink } from './mailbox-link.tsx'
import { Resend, type ResendProps } from './resend.tsx'

interface CodeDialogProps extends Omit<ResendProps, 'isBusy'> {
  /** What the code confirms, as the mail says it. */
  readonly description: ReactNode
  /** What the button under the code says. */
  readonly verb: string
  readonly back: string
  /** What the button says while the code is being used. */
  readonly busy: string | false
  /** Why the code that was typed was not taken. */
  readonly codeError: Error | null
  readonly onCode: (code: string) => void
  readonly onClose: () => void
}

/** Asks for the six digits that came by mail. A code that was not taken is cleared, to be typed again. */
export function CodeDialog({ description, verb, back, busy, codeError, onCode, onClose, ...resend }: CodeDialogProps) {
  const isBusy = busy !== false
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (codeError === null) return
    setCode('')
    field.current?.focus()
  }, [codeError])
  return (
    <Dialog title="Enter the code we emailed to you" description={description} isOpen onClose={onClose}>
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
        <Resend {...resend} isBusy={isBusy} />
        <MailboxLink />
        <DialogActions>
          <Button aria-disabled={isBusy || undefined} onClick={onClose}>
            {back}
          </Button>
          <Button kind="primary" type="submit" busy={busy}>
            {verb}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
