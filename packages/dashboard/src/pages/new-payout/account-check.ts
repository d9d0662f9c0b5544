// Whether a sort code and an account number can belong together, found out before anybody is asked to confirm.
import type { Environment } from '@kestrel/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'

import { useScope } from '../../app/session.ts'
import { readAccountNumber, readSortCode } from '../../format/bank-details.ts'
import { askForQuote } from '../../server/payouts.ts'
import type { Draft } from './draft.ts'

export const IMPOSSIBLE_PAIR =
  'This sort code and account number cannot belong together. Check both with the recipient.'

interface Pair {
  readonly sort_code: string
  readonly account_number: string
}

function pairOf({ sortCode, accountNumber }: Pick<Draft, 'sortCode' | 'accountNumber'>): Pair | null {
  const [sort_code, account_number] = [readSortCode(sortCode), readAccountNumber(accountNumber)]
  return sort_code === null || account_number === null ? null : { sort_code, account_number }
}

/** The check does not depend on the amount, but a quote needs one. */
const asked = (environment: Environment, pair: Pair | null, amount: string) => ({
  queryKey: ['account-check', environment, pair],
  queryFn: async () =>
    pair !== null &&
    ((await askForQuote(environment, { amount_gbp: amount, recipient: { bank: pair } })).warnings ?? []).some(
      ({ code }) => code === 'account_check_failed',
    ),
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})

/** For the validation of a field. Without an answer the field passes, and the server decides later. */
export function useAccountCheck(
  amount: string,
): (draft: Pick<Draft, 'sortCode' | 'accountNumber'>) => Promise<boolean> {
  const { environment } = useScope()
  const client = useQueryClient()
  return async (draft) => {
    const pair = pairOf(draft)
    return pair !== null && (await client.fetchQuery(asked(environment, pair, amount)).catch(() => false))
  }
}

/** For a hint beside the field, once it has been left. */
export function useIsImpossible(
  draft: Pick<Draft, 'sortCode' | 'accountNumber'>,
  amount: string,
  wasLeft: boolean,
): boolean {
  const { environment } = useScope()
  const pair = pairOf(draft)
  return useQuery({ ...asked(environment, pair, amount), enabled: wasLeft && pair !== null }).data === true
}
