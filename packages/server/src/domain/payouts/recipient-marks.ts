// By what a recipient is recognised from one payout to the next: keyed marks of the name and of the account, so that
// neither can be read out of the database, nor guessed without the key.
import { keyedHash } from '../../core/seal.ts'
import type { RecipientMarks } from '../../storage/payout-recipients.ts'
import type { DataKeys } from '../deps.ts'
import { underEachKey } from '../secrets/known-keys.ts'
import { nameKey } from './name-key.ts'

/** What of a recipient is compared. */
export interface ComparedRecipient {
  readonly first_name: string
  readonly last_name: string
  readonly bank: { readonly sort_code: string; readonly account_number: string }
}

/** Half of a hash is plenty to tell one partner's recipients apart, and halves the index. */
const MARK_BYTES = 16

/** The one place that makes marks. */
export function recipientMarks(secrets: DataKeys, recipient: ComparedRecipient): RecipientMarks {
  const { sort_code, account_number } = recipient.bank
  const mark = (what: string, text: string) =>
    keyedHash(secrets.fingerprintKey, `${what}.v1\n${text}`).subarray(0, MARK_BYTES)
  return {
    name: mark('recipient name', nameKey(`${recipient.first_name} ${recipient.last_name}`)),
    account: mark('recipient account', `${sort_code} ${account_number}`),
  }
}

/** The same under the keys from before the newest. */
export function olderRecipientMarks(secrets: DataKeys, recipient: ComparedRecipient): RecipientMarks[] {
  const [, ...older] = underEachKey(secrets)
  return older.map((each) => recipientMarks(each, recipient))
}
