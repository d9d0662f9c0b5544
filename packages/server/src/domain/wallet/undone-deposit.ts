// A deposit that the bank has undone: whether what the bank shows of it comes from before that.
import type { Deposit } from '../../rail/account.ts'
import type { LeftOut } from '../../storage/deposits-left-out.ts'

/** What the bank said before it undid a deposit is no news. Whatever else shows it as arrived is a contradiction. */
export function isShownAgain({ updatedAt }: Deposit, left: LeftOut | undefined): boolean {
  if (left?.reason !== 'undone') return false
  return left.saidAt === null || updatedAt >= left.saidAt
}

/** Whether a deposit is in the bank's wallet no more: all that the bank says of it is older than its undoing. */
export function isOverAndDone(deposit: Deposit, left: LeftOut | undefined): boolean {
  return left?.reason === 'undone' && !isShownAgain(deposit, left)
}

export function undoneAt({ saidAt }: LeftOut): string {
  return saidAt?.toISOString() ?? 'the bank does not say'
}
