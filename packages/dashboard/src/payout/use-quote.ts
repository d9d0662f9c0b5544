import type { Quote, QuoteRecipient } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'

import { useScope } from '../app/session.ts'
import { useSettled } from '../app/use-settled.ts'
import { readAmount } from '../format/money.ts'
import { askForQuote } from '../server/payouts.ts'
import { keptWithin, under } from '../server/queries.ts'

const PAUSE_MS = 300

export interface Pricing {
  readonly quote: Quote | undefined
  readonly error: Error | null
  /** Whether the quote is for the amount that stands in the field now. */
  readonly isCurrent: boolean
  readonly askAgain: () => void
}

/** What the amount costs, asked again whenever it changes and every half minute: the rate moves. Once it is clear who
 * is paid, also what is worth a second look. */
export function useQuote(typed: string, recipient: QuoteRecipient | null = null): Pricing {
  const scope = useScope()
  const amount = readAmount(typed)
  const settled = useSettled(amount, PAUSE_MS)
  const query = useQuery<Quote>({
    queryKey: under(scope, 'quote', settled, recipient),
    queryFn: ({ signal }) =>
      askForQuote(
        scope.environment,
        { amount_gbp: settled ?? '', ...(recipient === null ? {} : { recipient }) },
        signal,
      ),
    enabled: settled !== null,
    placeholderData: keptWithin(scope),
    refetchInterval: 30_000,
    retry: false,
  })
  return {
    quote: settled === null ? undefined : query.data,
    error: settled === null ? null : query.error,
    isCurrent: settled === amount && !query.isPlaceholderData,
    askAgain: () => void query.refetch(),
  }
}
