import { useQuery } from '@tanstack/react-query'

import { useScope } from '../app/session.ts'
import { useSettled } from '../app/use-settled.ts'
import { recentPayoutsQuery, recipientsQuery } from '../server/queries.ts'

const MOST = 5
const LEAST_LETTERS = 2
const SETTLE_MS = 250

/** Payouts that the server finds, and recipients among those it lists. It is asked when the typing stops. */
export function useFound(typed: string) {
  const scope = useScope()
  const asked = useSettled(typed, SETTLE_MS)
  const isSearch = typed.length >= LEAST_LETTERS
  const enabled = isSearch && asked.length >= LEAST_LETTERS
  const payouts = useQuery({ ...recentPayoutsQuery(scope, { q: asked }, MOST), enabled })
  const recipients = useQuery({ ...recipientsQuery(scope), enabled })
  const words = asked.toLowerCase()
  const isFound = ({ name, account_last4 }: { name: string | null; account_last4: string | null }) =>
    `${name ?? ''} ${account_last4 ?? ''}`.toLowerCase().includes(words)
  return {
    payouts: isSearch ? (payouts.data?.data ?? []) : [],
    recipients: isSearch ? (recipients.data?.data.filter(isFound).slice(0, MOST) ?? []) : [],
    /** Payouts further back were not looked at. */
    isPartial: isSearch && payouts.data?.next_cursor != null,
    isSearching: isSearch && (asked !== typed || payouts.isLoading || recipients.isLoading),
    hasFailed: enabled && (payouts.isError || recipients.isError),
    again: () => void Promise.all([payouts.refetch(), recipients.refetch()]),
  }
}
