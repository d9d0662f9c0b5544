import type { PayoutWarning } from '@kestrel/contract'
import { Link } from '@tanstack/react-router'

import { linkClass } from '../app/page.tsx'
import { useEnvironment } from '../app/session.ts'
import { longDay } from '../format/dates.ts'
import { Notice } from '../parts/card.tsx'
import { Icon } from '../parts/icon.tsx'

/** These two must be ticked before a live payout is sent; the other warnings are only shown. */
const WANTS_A_TICK: ReadonlySet<string> = new Set(['recipient_account_changed', 'possible_duplicate'])

export function wantsATick(warnings: readonly PayoutWarning[]): boolean {
  return warnings.some(({ code }) => WANTS_A_TICK.has(code))
}

/** What is worth a second look, the gravest first. Beside a changed account, "first payment" would say nothing new. */
export function SecondLook({ warnings, isPast = false }: { warnings: readonly PayoutWarning[]; isPast?: boolean }) {
  const isChanged = warnings.some(({ code }) => code === 'recipient_account_changed')
  const shown = warnings.filter(({ code }) => !(isChanged && code === 'first_payment_to_account'))
  return shown.map((warning) => (
    <Notice
      key={warning.code}
      tone={warning.code === 'first_payment_to_account' ? 'quiet' : 'warn'}
      title={
        <span className="flex items-start gap-2">
          <Icon name="alert" className="mt-1" />
          {titleOf(warning)}
        </span>
      }
    >
      {/* Under the title's words, not under its icon. */}
      <div className="pl-6">
        <Text warning={warning} isPast={isPast} />
      </div>
    </Notice>
  ))
}

function titleOf({ code, message, details }: PayoutWarning): string {
  switch (code) {
    case 'recipient_account_changed':
      return `Different account from last time (··${details.account_last4})`
    case 'possible_duplicate':
      return `The same amount to this account${details.created_at === null ? '' : ` on ${longDay(details.created_at)}`}`
    case 'first_payment_to_account':
      return 'First payment to this account'
    case 'account_check_failed':
      return 'Sort code and account number do not fit together'
    default:
      return message
  }
}

function Text({ warning: { code, details }, isPast }: { warning: PayoutWarning; isPast: boolean }) {
  const environment = useEnvironment()
  const earlier =
    details.payout_id === null ? null : (
      <Link to="/payouts/$id" params={{ id: details.payout_id }} className={`${linkClass} text-current underline`}>
        See that payout
      </Link>
    )
  if (isPast) return earlier === null ? null : <p>{earlier}</p>
  switch (code) {
    case 'recipient_account_changed':
      return <p>Check by phone, at a number that you had before: this is how invoice fraud works. {earlier}</p>
    case 'possible_duplicate':
      return <p>Check that this is another payment. {earlier}</p>
    case 'first_payment_to_account':
      return <p>Check the details with the recipient.</p>
    case 'account_check_failed':
      return environment === 'sandbox' ? <p>Sandbox takes any account. Live would refuse this one.</p> : null
    default:
      return null
  }
}
