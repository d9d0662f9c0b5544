// Warnings: what is worth a second look before money leaves. They refuse nothing; the payer decides, but has been told.
import { after } from '../../../core/clock.ts'
import type { Pence } from '../../../core/money.ts'
import type {
  EarlierPayout,
  MarkedPayout,
  RecipientHistory,
  RecipientMarks,
  StoredWarning,
} from '../../../storage/payout-recipients.ts'

/** The same amount to the same account so soon is more often a mistake than a second bill. */
const DUPLICATE_WITHIN_MS = 7 * 24 * 3_600_000

export function duplicatesSince(now: Date): Date {
  return after(now, -DUPLICATE_WITHIN_MS)
}

export interface PayoutToJudge extends MarkedPayout {
  readonly accountLast4: string
}

/** The gravest first. */
export function warningsOf(payout: PayoutToJudge, history: RecipientHistory): StoredWarning[] {
  const { samePerson, sameAmount } = history
  const warnings: StoredWarning[] = []
  if (samePerson !== null && !history.isPairPaid) warnings.push(about('recipient_account_changed', samePerson))
  if (sameAmount !== null) warnings.push(about('possible_duplicate', sameAmount))
  if (!history.isAccountPaid) {
    warnings.push({
      code: 'first_payment_to_account',
      payout_id: null,
      account_last4: payout.accountLast4,
      at: null,
    })
  }
  return warnings
}

function about(code: StoredWarning['code'], earlier: EarlierPayout): StoredWarning {
  return { code, payout_id: earlier.id, account_last4: earlier.accountLast4, at: earlier.at.toISOString() }
}

interface Reserved extends EarlierPayout {
  readonly marks: RecipientMarks
  readonly amount: Pence
}

/** Payouts of one batch are not in each other's history: each is compared with those that got their money before it. */
export class BatchHistory {
  readonly #reserved: Reserved[] = []

  add(payout: PayoutToJudge, id: string, at: Date): void {
    this.#reserved.push({ id, at, accountLast4: payout.accountLast4, marks: payout.marks, amount: payout.amount })
  }

  with(payout: MarkedPayout, before: RecipientHistory): RecipientHistory {
    const { name, account } = payout.marks
    const sameAccount = this.#reserved.filter(({ marks }) => marks.account.equals(account))
    const samePerson = this.#reserved.filter(({ marks }) => marks.name.equals(name))
    return {
      isAccountPaid: before.isAccountPaid || sameAccount.length > 0,
      isPairPaid: before.isPairPaid || samePerson.some(({ marks }) => marks.account.equals(account)),
      sameAmount: sameAccount.findLast(({ amount }) => amount === payout.amount) ?? before.sameAmount,
      samePerson: samePerson.at(-1) ?? before.samePerson,
    }
  }
}
