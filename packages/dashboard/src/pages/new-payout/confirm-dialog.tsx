import { describeFailure } from '../../app/failure.ts'
import { CodeDialog } from '../../codes/code-dialog.tsx'
import { clockTime } from '../../format/dates.ts'
import { gbp } from '../../format/money.ts'
import { ApiError } from '../../server/client.ts'
import type { OpenDialog } from './send-state.ts'
import type { Sender } from './use-send.ts'

interface ConfirmProps {
  readonly dialog: OpenDialog
  readonly sender: Sender
}

/** Live only: the mail names amount and recipient, and the code works for exactly these. */
export function ConfirmDialog({ dialog: { mail, codeError, askError }, sender }: ConfirmProps) {
  const { state, enterCode, resend, close } = sender
  return (
    <CodeDialog
      description={
        <>
          It went to {mail.sent_to} and works for {gbp(mail.amount_gbp)} to {mail.recipient_name} only, until{' '}
          {clockTime(mail.expires_at)}. Check that the mail says the same.
        </>
      }
      verb={`Send ${gbp(mail.amount_gbp)}`}
      back="Go back"
      busy={state.name === 'paying' || state.name === 'created' ? 'Sending…' : false}
      codeError={codeError}
      expiresAt={mail.expires_at}
      isAsking={state.name === 'asking'}
      problem={askError === null ? null : `${describeFailure(askError).message} ${whichCodeWorks(askError)}`}
      onCode={enterCode}
      onResend={resend}
      onClose={close}
    />
  )
}

/** A refusal sent no mail; after silence one may come all the same. */
function whichCodeWorks(error: Error): string {
  return error instanceof ApiError ? 'The code that you have still works.' : 'If a new mail comes, use the code in it.'
}
