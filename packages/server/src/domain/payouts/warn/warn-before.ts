// The warnings for a payout before it is asked for: the same questions as at its creation, and nothing is written.
import type { QuoteRecipient } from '@kestrel/contract'

import type { Pence } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import { type RecipientHistory, readRecipientHistory } from '../../../storage/payout-recipients.ts'
import type { Deps } from '../../deps.ts'
import { isImpossibleAccount } from '../request/impossible-account.ts'
import { duplicatesSince, warningsOf } from './payout-warnings.ts'
import type { Warning } from './warning-words.ts'
import { olderRecipientMarks, recipientMarks } from './recipient-marks.ts'

export async function warningsBefore(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  scope: Scope,
  wanted: { recipient: QuoteRecipient; amount: Pence },
): Promise<Warning[]> {
  const { bank, first_name = '', last_name = '' } = wanted.recipient
  const payout = {
    marks: recipientMarks(deps.secrets, { first_name, last_name, bank }),
    olderMarks: olderRecipientMarks(deps.secrets, { first_name, last_name, bank }),
    amount: wanted.amount,
    accountLast4: bank.account_number.slice(-4),
  }
  const since = duplicatesSince(deps.clock.now())
  const [history] = await readRecipientHistory(deps.db, scope, [payout], since)
  const isNamed = first_name !== '' || last_name !== ''
  const known: RecipientHistory = isNamed ? history! : { ...history!, samePerson: null }
  return [...impossible(bank), ...warningsOf(payout, known)]
}

function impossible(bank: QuoteRecipient['bank']): Warning[] {
  if (!isImpossibleAccount(bank)) return []
  return [{ code: 'account_check_failed', payout_id: null, account_last4: bank.account_number.slice(-4), at: null }]
}
