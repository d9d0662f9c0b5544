// How a recipient is recognised from one payout to the next: by keyed marks of the name and of the account, which can
// be neither read from the database nor guessed without the key.
import { keyedHash } from '../../../core/seal.ts'
import type { RecipientMarks } from '../../../storage/payout-recipients.ts'
import type { DataKeys } from '../../deps.ts'
import { underOlderKeys } from '../../secrets/known-keys.ts'
import { nameKey } from './name-key.ts'

/** The parts of a recipient that are compared. */
export interface ComparedRecipient {
  readonly first_name: string
  readonly last_name: string
  readonly bank: { readonly sort_code: string; readonly account_number: string }
}

/** Half of a hash is plenty to tell one partner's recipients apart, and halves the index. */
const MARK_BYTES = 16

/** The only place that makes marks. */
export function recipientMarks(secrets: DataKeys, recipient: ComparedRecipient): RecipientMarks {
  const { sort_code, account_number } = recipient.bank
  const mark = (what: string, text: string) =>
    keyedHash(secrets.fingerprintKey, `${what}.v1\n${text}`).subarray(0, MARK_BYTES)
  return {
    name: mark('recipient name', nameKey(`${recipient.first_name} ${recipient.last_name}`)),
    account: mark('recipient account', `${sort_code} ${account_number}`),
  }
}

/** The same under older keys. */
export function olderRecipientMarks(secrets: DataKeys, recipient: ComparedRecipient): RecipientMarks[] {
  return underOlderKeys(secrets).map((each) => recipientMarks(each, recipient))
}
