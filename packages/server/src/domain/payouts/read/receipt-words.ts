// What a receipt says of a payout, on paper and where it is checked.
import { formatPence } from '../../../core/money.ts'
import { grouped, momentInWords } from '../../../core/words.ts'
import type { Payout } from '../payout.ts'

export type Row = readonly [name: string, value: string]

export const pounds = (amount: Payout['amount']): string => `£${grouped(formatPence(amount))}`

export const headlineOf = (payout: Payout): string => `${pounds(payout.amount)} to ${payout.recipientName}`

export function outcomeOf({ status, completedAt, endedAt, failureReason }: Payout): string {
  const why = failureReason === null ? '' : ` ${failureReason}`
  switch (status) {
    case 'completed':
      return `Completed on ${momentInWords(completedAt!)}.`
    case 'returned':
      return `Came back on ${momentInWords(endedAt!)}.${why}`
    case 'failed':
      return `Failed on ${momentInWords(endedAt!)}.${why}`
    case 'cancelled':
      return `Cancelled on ${momentInWords(endedAt!)}. Nothing was paid.`
    case 'pending':
    case 'processing':
      return 'On its way: the bank has not confirmed it yet.'
  }
}

export function aboutIt(payout: Payout, businessName: string): readonly Row[] {
  return [
    ['From', businessName],
    ['To', `${payout.recipientName}, account ending ${payout.accountLast4}`],
    ['Amount', pounds(payout.amount)],
    ['Sent by', 'Faster Payments'],
    ...(payout.reference === null ? [] : ([['Reference', payout.reference]] as const)),
    ['Created', momentInWords(payout.createdAt)],
    ...(payout.completedAt === null ? [] : ([['Completed', momentInWords(payout.completedAt)]] as const)),
    ['Payout id', payout.id],
  ]
}
