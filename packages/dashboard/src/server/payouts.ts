import type {
  ConfirmCodeSent,
  CreatePayoutRequest,
  Environment,
  Payout,
  PayoutCreated,
  PayoutDay,
  PayoutList,
  PayoutSummary,
  PayoutTimeline,
  Quote,
  QuoteRequest,
  SimulateRequest,
} from '@kestrel/contract'

import { address, call, type List } from './client.ts'

/** The filters of the list, the summary and the export: one set, so that the three always agree. */
export interface PayoutFilter {
  readonly status?: string
  readonly created_from?: string
  readonly created_to?: string
  readonly completed_from?: string
  readonly completed_to?: string
  readonly ended_from?: string
  readonly ended_to?: string
  readonly amount_from?: string
  readonly amount_to?: string
  readonly created_via?: string
  readonly failure_code?: string
  readonly idempotency_key?: string
  readonly q?: string
}

const PAGE = 50

export const listPayouts = (
  environment: Environment,
  filter: PayoutFilter,
  page: { cursor?: string; limit?: number } = {},
) => call<PayoutList>('/v1/payouts', { query: { environment, limit: PAGE, ...filter, ...page } })

export const summarisePayouts = (environment: Environment, filter: PayoutFilter) =>
  call<PayoutSummary>('/v1/payouts/summary', { query: { environment, ...filter } })

export const exportAddress = (environment: Environment, filter: PayoutFilter) =>
  address('/v1/payouts/export.csv', { environment, ...filter })

export const receiptAddress = (environment: Environment, id: string) =>
  address(`/v1/payouts/${id}/receipt.pdf`, { environment })

export const listPayoutDays = (environment: Environment, days: number) =>
  call<List<PayoutDay>>('/v1/payouts/daily', { query: { environment, days } })

/** The days of a month, each with the payouts that completed on it. */
export const listCompletedDays = (environment: Environment, month: string) =>
  call<List<PayoutDay>>('/v1/payouts/daily', { query: { environment, completed_in: month } })

export const readPayout = (environment: Environment, id: string) =>
  call<Payout>(`/v1/payouts/${id}`, { query: { environment } })

export const readTimeline = (environment: Environment, id: string) =>
  call<PayoutTimeline>(`/v1/payouts/${id}/timeline`, { query: { environment } })

export const askForQuote = (environment: Environment, body: QuoteRequest, signal?: AbortSignal) =>
  call<Quote>('/v1/quotes', {
    method: 'POST',
    query: { environment },
    body,
    ...(signal === undefined ? {} : { signal }),
  })

export interface CreatePayoutCall {
  readonly environment: Environment
  readonly body: CreatePayoutRequest
  readonly idempotencyKey: string
  /** The payout is refused if the rate has moved so far that the wallet would send more than this. */
  readonly maxWalletDebitUsdc: string
}

export const createPayout = ({ environment, body, idempotencyKey, maxWalletDebitUsdc }: CreatePayoutCall) =>
  call<PayoutCreated>('/v1/payouts', {
    method: 'POST',
    query: { environment },
    body,
    headers: { 'Idempotency-Key': idempotencyKey, 'Max-Wallet-Debit-USDC': maxWalletDebitUsdc },
  })

export const askForConfirmCode = (environment: Environment, body: CreatePayoutRequest) =>
  call<ConfirmCodeSent>('/v1/payouts/confirm-code', { method: 'POST', query: { environment }, body })

export const cancelPayout = (environment: Environment, id: string) =>
  call<Payout>(`/v1/payouts/${id}/cancel`, { method: 'POST', query: { environment } })

export const simulate = (id: string, outcome: SimulateRequest['outcome']) =>
  call<Payout>(`/v1/sandbox/payouts/${id}/simulate`, {
    method: 'POST',
    query: { environment: 'sandbox' },
    body: { outcome },
  })
