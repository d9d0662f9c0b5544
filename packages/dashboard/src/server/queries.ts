// Everything that pages read, and the key under which each is cached. What belongs to a business has a key that starts with
// its slug and environment, so that nothing of one business or environment is ever shown in another.
import type { Environment, Session } from '@kestrel/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import * as account from './account.ts'
import * as auth from './auth.ts'
import * as billing from './billing.ts'
import { ApiError, type Scope } from './client.ts'
import * as payouts from './payouts.ts'

export const SESSION = ['session'] as const

/** Null is a signed-out visitor: an answer, not a failure. */
export const sessionQuery = queryOptions({
  queryKey: SESSION,
  queryFn: async (): Promise<Session | null> => {
    try {
      return await auth.readSession()
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null
      throw error
    }
  },
  staleTime: 60_000,
})

export const authOptionsQuery = queryOptions({ queryKey: ['auth-options'], queryFn: auth.readAuthOptions })

export const publicPartnerQuery = (slug: string) =>
  queryOptions({ queryKey: ['public-partner', slug], queryFn: () => auth.readPublicPartner(slug), retry: false })

export const devicesQuery = queryOptions({ queryKey: ['devices'], queryFn: auth.listDevices })

/** What is read again when the stream reports a payout. The list and its sums are not: rows must not jump. */
export const AFTER_PAYOUT = [
  'days',
  'recent',
  'followed-summary',
  'usage',
  'rehearsal',
  'balance',
  'recipients',
  'go-live',
] as const

/** What is read again after the person has made or changed a payout here, and expects to see it. */
export const AFTER_OWN_CHANGE = [...AFTER_PAYOUT, 'payout', 'payouts', 'summary', 'members'] as const

/** The start of every key of one business in one environment. */
export const under = ({ slug, environment }: Scope, ...rest: readonly unknown[]) => [
  slug,
  SHARED.has(rest[0]) ? 'both' : environment,
  ...rest,
]

/** Belongs to the business and not to an environment: a change in one shows in the other. */
const SHARED: ReadonlySet<unknown> = new Set(['keys', 'members', 'invitations', 'settings'])

/** For `placeholderData`: old data stays while new is loading, unless it is of another business or environment. */
export const keptWithin =
  ({ slug, environment }: Scope) =>
  <T>(before: T | undefined, query: { readonly queryKey: readonly unknown[] } | undefined): T | undefined =>
    query?.queryKey[0] === slug && query.queryKey[1] === environment ? before : undefined

const read = <T>(name: string, queryFn: (environment: Environment) => Promise<T>) => {
  return (scope: Scope) => queryOptions({ queryKey: under(scope, name), queryFn: () => queryFn(scope.environment) })
}

export const accountQuery = read('account', account.readAccount)
export const balanceQuery = read('balance', account.readBalance)
export const fundingQuery = read('funding', account.readFunding)
export const complianceQuery = read('compliance', account.readCompliance)
export const goLiveQuery = read('go-live', account.readGoLive)
export const recipientsQuery = read('recipients', account.listRecipients)
export const invoicesQuery = read('invoices', billing.listInvoices)
export const keysQuery = read('keys', account.listKeys)
export const invitationsQuery = read('invitations', account.listInvitations)
export const settingsQuery = read('settings', account.readSettings)

/** The team is that of both environments, and its limits are those of one. */
export const membersQuery = (scope: Scope) =>
  queryOptions({
    queryKey: under(scope, 'members', scope.environment),
    queryFn: () => account.listMembers(scope.environment),
  })

export const usageQuery = (scope: Scope, month?: string) =>
  queryOptions({
    queryKey: under(scope, 'usage', month ?? 'now'),
    queryFn: () => billing.readUsage(scope.environment, month),
  })

/** The invoice that a month of the sandbox would give in live. */
export const rehearsalQuery = (scope: Scope, month?: string) =>
  queryOptions({
    queryKey: under(scope, 'rehearsal', month ?? 'now'),
    queryFn: () => billing.rehearseInvoice(month),
  })

export const payoutQuery = (scope: Scope, id: string) =>
  queryOptions({
    queryKey: under(scope, 'payout', id),
    queryFn: () => payouts.readPayout(scope.environment, id),
  })

export const timelineQuery = (scope: Scope, id: string) =>
  queryOptions({
    queryKey: under(scope, 'payout', id, 'timeline'),
    queryFn: () => payouts.readTimeline(scope.environment, id),
  })

export const daysQuery = (scope: Scope, days: number) =>
  queryOptions({
    queryKey: under(scope, 'days', days),
    queryFn: () => payouts.listPayoutDays(scope.environment, days),
  })

export const completedDaysQuery = (scope: Scope, month: string) =>
  queryOptions({
    queryKey: under(scope, 'days', month),
    queryFn: () => payouts.listCompletedDays(scope.environment, month),
  })

export const summaryQuery = (scope: Scope, filter: payouts.PayoutFilter) =>
  queryOptions({
    queryKey: under(scope, 'summary', filter),
    queryFn: () => payouts.summarisePayouts(scope.environment, filter),
  })

/** Sums that the stream keeps current. Those above the list change only together with its rows. */
export const followedSummaryQuery = (scope: Scope, filter: payouts.PayoutFilter) =>
  queryOptions({ ...summaryQuery(scope, filter), queryKey: under(scope, 'followed-summary', filter) })

export const recentPayoutsQuery = (scope: Scope, filter: payouts.PayoutFilter, limit: number) =>
  queryOptions({
    queryKey: under(scope, 'recent', filter, limit),
    queryFn: () => payouts.listPayouts(scope.environment, filter, { limit }),
  })

export const payoutPagesQuery = (scope: Scope, filter: payouts.PayoutFilter) =>
  infiniteQueryOptions({
    queryKey: under(scope, 'payouts', filter),
    queryFn: ({ pageParam }) =>
      payouts.listPayouts(scope.environment, filter, pageParam === null ? {} : { cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  })

export const invoiceQuery = (scope: Scope, id: string) =>
  queryOptions({
    queryKey: under(scope, 'invoice', id),
    queryFn: () => billing.readInvoice(scope.environment, id),
  })

export const linePayoutPagesQuery = (scope: Scope, line: billing.InvoiceLine) =>
  infiniteQueryOptions({
    queryKey: under(scope, 'invoice', line.id, line.line),
    queryFn: ({ pageParam }) => billing.listLinePayouts(scope.environment, line, pageParam ?? undefined),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  })

/** The sums of a statement, without its movements. */
export const statementSumsQuery = (scope: Scope, days: billing.Days) =>
  queryOptions({
    queryKey: under(scope, 'statement', 'sums', days),
    queryFn: () => billing.readStatement(scope.environment, days, { limit: 1 }),
  })

export const statementPagesQuery = (scope: Scope, days: billing.Days) =>
  infiniteQueryOptions({
    queryKey: under(scope, 'statement', 'pages', days),
    queryFn: ({ pageParam }) =>
      billing.readStatement(scope.environment, days, pageParam === null ? {} : { cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  })

export const activityPagesQuery = (scope: Scope, filter: account.ActivityFilter) =>
  infiniteQueryOptions({
    queryKey: under(scope, 'activity', filter),
    queryFn: ({ pageParam }) => account.listActivity(filter, pageParam ?? undefined),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.data.length < account.ACTIVITY_PAGE ? null : (last.data.at(-1)?.id ?? null)),
  })

/** What was asked and answered does not change; it is only forgotten. */
export const activityDetailQuery = (scope: Scope, id: string) =>
  queryOptions({
    queryKey: under(scope, 'activity-entry', id),
    queryFn: () => account.readActivity(scope.environment, id),
    staleTime: Infinity,
  })
