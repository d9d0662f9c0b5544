// Text from a search box, as everything that it could mean.
import { isUuid } from '../../../core/ids.ts'
import { type Pence, parsePence } from '../../../core/money.ts'
import type { PayoutSearch } from '../../../storage/payout-criteria.ts'

const LAST_FOUR = /^\d{4}$/
const AMOUNT = /^£? ?(\d{1,3}(?:,\d{3})+|\d{1,9})(\.\d{2})?$/
/** Shorter ones would match by accident. */
const ID_PREFIX = /^[0-9a-f]{8}[0-9a-f-]*$/

/** Each word is looked for in every payout of the period. Twelve narrow any search down. */
const MOST_WORDS = 12

/** Null when nothing was typed. */
export function payoutSearch(text: string): PayoutSearch | null {
  const typed = text.trim()
  if (typed === '') return null
  const id = typed.toLowerCase()
  return {
    words: [...new Set(typed.split(/\s+/))].slice(0, MOST_WORDS),
    accountLast4: LAST_FOUR.test(typed) ? typed : null,
    amount: amountIn(typed),
    id: isUuid(id) ? id : null,
    idPrefix: ID_PREFIX.test(id) ? id : null,
  }
}

function amountIn(typed: string): Pence | null {
  const [, pounds, pennies = '.00'] = AMOUNT.exec(typed) ?? []
  return pounds === undefined ? null : parsePence(`${pounds.replaceAll(',', '')}${pennies}`)
}
