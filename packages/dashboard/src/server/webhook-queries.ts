// What the pages about webhooks read. A receiver answers when it likes, so what waits is read again by itself.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import type { Scope } from './client.ts'
import { under } from './queries.ts'
import * as webhooks from './webhooks.ts'

const AGAIN_MS = 5_000
/** While somebody waits for one answer. */
const SOON_MS = 1_000

/** Older pages do not change often, and reading all of them again does not pay. */
const ofFirstPage = ({
  state,
}: {
  readonly state: { readonly data?: { readonly pages: readonly unknown[] } | undefined }
}) => ((state.data?.pages.length ?? 0) > 1 ? false : AGAIN_MS)

/** Every list of deliveries; they change together. */
export const DELIVERIES = 'deliveries'
/** Endpoints, with how they do. */
export const ENDPOINTS = 'webhook-endpoints'

export const endpointsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: under(scope, ENDPOINTS),
    queryFn: () => webhooks.listEndpoints(scope.environment),
  })

export const endpointQuery = (scope: Scope, id: string) =>
  queryOptions({
    queryKey: under(scope, ENDPOINTS, id),
    queryFn: () => webhooks.readEndpoint(scope.environment, id),
    refetchInterval: AGAIN_MS,
  })

export const publicKeysQuery = (id: string) =>
  queryOptions({ queryKey: ['webhook-keys', id], queryFn: () => webhooks.listPublicKeys(id) })

export const deliveryPagesQuery = (scope: Scope, id: string, filter: webhooks.DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: under(scope, DELIVERIES, 'of-endpoint', id, filter),
    queryFn: ({ pageParam }) => webhooks.listDeliveries(scope.environment, id, filter, pageParam ?? undefined),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    refetchInterval: ofFirstPage,
  })

export const deliveriesAboutPagesQuery = (scope: Scope, subject: string) =>
  infiniteQueryOptions({
    queryKey: under(scope, DELIVERIES, 'about', subject),
    queryFn: ({ pageParam }) => webhooks.listDeliveriesAbout(scope.environment, subject, pageParam ?? undefined),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    refetchInterval: ofFirstPage,
  })

export const deliveryQuery = (scope: Scope, id: string) =>
  queryOptions({
    queryKey: under(scope, DELIVERIES, 'one', id),
    queryFn: () => webhooks.readDelivery(scope.environment, id),
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? SOON_MS : false),
  })
