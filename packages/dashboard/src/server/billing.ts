import type { Environment, Invoice, InvoicedPayoutList, RehearsalInvoice, Statement, Usage } from '@kestrel/contract'

import { address, call, type List } from './client.ts'

/** From the one day to the other, both included, in London. */
export interface Days {
  readonly from: string
  readonly to: string
}

const PAGE = 50

export const readUsage = (environment: Environment, month?: string) =>
  call<Usage>('/v1/usage', { query: { environment, month } })

export const listInvoices = (environment: Environment) =>
  call<List<Invoice>>('/v1/invoices', { query: { environment } })

export const readInvoice = (environment: Environment, id: string) =>
  call<Invoice>(`/v1/invoices/${encodeURIComponent(id)}`, { query: { environment } })

export const rehearseInvoice = (month?: string) =>
  call<RehearsalInvoice>('/v1/sandbox/invoice', { query: { environment: 'sandbox', month } })

export const rehearsalPdfAddress = (month: string) =>
  address('/v1/sandbox/invoice.pdf', { environment: 'sandbox', month })

export const invoicePdfAddress = (environment: Environment, id: string) =>
  address(`/v1/invoices/${id}.pdf`, { environment })

export const invoiceCsvAddress = (environment: Environment, id: string) =>
  address(`/v1/invoices/${id}/lines.csv`, { environment })

export const listLinePayouts = (environment: Environment, { id, line }: InvoiceLine, cursor?: string) =>
  call<InvoicedPayoutList>(`/v1/invoices/${id}/lines/${line}/payouts`, { query: { environment, limit: PAGE, cursor } })

export const linePayoutsCsvAddress = (environment: Environment, { id, line }: InvoiceLine) =>
  address(`/v1/invoices/${id}/lines/${line}/payouts.csv`, { environment })

export interface InvoiceLine {
  readonly id: string
  readonly line: number
}

export const readStatement = (
  environment: Environment,
  { from, to }: Days,
  page: { cursor?: string; limit?: number } = {},
) => call<Statement>('/v1/statement', { query: { environment, from, to, limit: PAGE, ...page } })

export const statementCsvAddress = (environment: Environment, { from, to }: Days) =>
  address('/v1/statement.csv', { environment, from, to })
