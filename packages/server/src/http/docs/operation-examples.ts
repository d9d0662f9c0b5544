// Requests and answers, operation by operation, with figures that add up. A test sends the requests and checks every
// answer against its schema.
import type {
  CreatePayoutRequest,
  Discovery,
  PayoutCreated,
  PayoutList,
  PublicPartner,
  QuoteRequest,
} from '@kestrel/contract'

import { SERVICE_NAME, SERVICE_VERSION } from '../../core/service-version.ts'
import { ACCOUNT, BALANCE, COMPLIANCE, GO_LIVE, INVOICES, KEYS, RECIPIENTS, USAGE } from './account-examples.ts'
import { AUDIT_HEADS, AUDIT_LOG, SIGNING_KEYS } from './audit-examples.ts'
import { ACTIVITY, ACTIVITY_DETAIL, ACTIVITY_EXPORT } from './activity-examples.ts'
import { BILLING_EXAMPLES } from './billing-examples.ts'
import { CONNECTED_ACCOUNT, FUNDING, UNCONNECTED_FUNDING, VERIFICATION_STARTED } from './bank-examples.ts'
import { DASHBOARD_EXAMPLES } from './dashboard-examples.ts'
import { EVENT, EVENTS } from './event-examples.ts'
import type { NamedExamples, OperationExamples } from './examples.ts'
import { SANDBOX_EXAMPLES } from './sandbox-examples.ts'
import { SETTINGS_EXAMPLES } from './settings-examples.ts'
import { WEBHOOK_EXAMPLES } from './webhook-examples.ts'
import {
  CANCELLED,
  COMPLETED,
  DAYS,
  EXPORT,
  FAILED,
  PENDING,
  PROCESSING,
  QUOTE,
  RECEIPT,
  RETURNED,
  STREAM,
  SUMMARY,
  TIMELINE,
} from './payout-examples.ts'

const only = (summary: string, value: unknown): NamedExamples => ({ example: { summary, value } })

const PARTNER: PublicPartner = {
  slug: 'thistle-market',
  name: 'Thistle Market',
  logo_url: 'https://thistle.example/logo.svg',
  brand_color: '#2b4bd8',
}

const TO_A_PERSON: CreatePayoutRequest = {
  amount_gbp: '25.00',
  reference: 'Invoice 1042',
  recipient: {
    first_name: 'Amara',
    last_name: 'Okafor',
    address: { line1: '1 High Street', city: 'Leeds', postal_code: 'LS1 4AP' },
    bank: { bank_name: 'Monzo', sort_code: '040004', account_number: '12345678' },
  },
}

const WITH_EVERY_FIELD: CreatePayoutRequest = {
  amount_gbp: '1250.00',
  country: 'GB',
  reference: 'October, 14 days of work',
  recipient: {
    type: 'business',
    first_name: 'Rowan',
    last_name: 'Ellis Joinery Ltd',
    email: 'accounts@ellis-joinery.example',
    address: { line1: 'Unit 4', line2: 'Canal Wharf', city: 'Bath', postal_code: 'BA1 5NG', region: 'Somerset' },
    bank: { bank_name: 'Barclays', sort_code: '202678', account_number: '70872490' },
  },
}

const THAT_FAILS: CreatePayoutRequest = {
  ...TO_A_PERSON,
  reference: 'Invoice 1043',
  recipient: { ...TO_A_PERSON.recipient, bank: { ...TO_A_PERSON.recipient.bank, account_number: '12340000' } },
}

const QUOTE_REQUEST: QuoteRequest = { amount_gbp: '25.00' }

const PAGE: PayoutList = {
  object: 'list',
  data: [COMPLETED, RETURNED],
  has_more: true,
  next_cursor: 'AaGbiYDGcSiLDFx_0KajpA',
}

const created = (payout: PayoutCreated): PayoutCreated => ({ ...payout, quote: QUOTE })

/** By operationId. */
export function operationExamples(publicUrl: string): Readonly<Record<string, OperationExamples>> {
  const discovery: Discovery = { name: SERVICE_NAME, version: SERVICE_VERSION, docs: `${publicUrl}/docs` }
  return {
    ...OPERATION_EXAMPLES,
    ...DASHBOARD_EXAMPLES,
    ...SANDBOX_EXAMPLES,
    ...SETTINGS_EXAMPLES,
    ...WEBHOOK_EXAMPLES,
    ...BILLING_EXAMPLES,
    discover: { answers: { 200: only('The service', discovery) } },
    discoverV1: { answers: { 200: only('The service', discovery) } },
  }
}

const OPERATION_EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  readPublicPartner: { answers: { 200: only('A partner with a brand', PARTNER) } },
  readAccount: {
    answers: {
      200: {
        connected: { summary: 'A sandbox account', value: CONNECTED_ACCOUNT },
        simulated: { summary: 'One that no bank is connected for yet', value: ACCOUNT },
      },
    },
  },
  readBalance: { answers: { 200: only('A sandbox wallet', BALANCE) } },
  readCompliance: { answers: { 200: only('A verified business', COMPLIANCE) } },
  readGoLive: { answers: { 200: only('Half way', GO_LIVE) } },
  startVerification: { answers: { 200: only('The links to go on with', VERIFICATION_STARTED) } },
  listActivity: { answers: { 200: only('Two requests', ACTIVITY) } },
  readActivity: { answers: { 200: only('A refused payout', ACTIVITY_DETAIL) } },
  readAuditLog: { answers: { 200: only('One entry', AUDIT_LOG) } },
  listAuditHeads: { answers: { 200: only('One head', AUDIT_HEADS) } },
  listSigningKeys: { answers: { 200: only('One key', SIGNING_KEYS) } },
  exportActivity: { answers: { 200: only('One entry', ACTIVITY_EXPORT) } },
  readFunding: {
    answers: {
      200: {
        connected: { summary: 'Two ways, two deposits', value: FUNDING },
        unconnected: { summary: 'No bank is connected yet', value: UNCONNECTED_FUNDING },
      },
    },
  },
  listRecipients: { answers: { 200: only('Two recipients', RECIPIENTS) } },
  createQuote: {
    request: only('25 pounds', QUOTE_REQUEST),
    answers: { 200: only('25 pounds', QUOTE) },
  },
  createPayout: {
    request: {
      person: { summary: 'To a person', value: TO_A_PERSON },
      business: { summary: 'To a business, with every field', value: WITH_EVERY_FIELD },
      fails: { summary: 'One that fails (sandbox)', value: THAT_FAILS },
    },
    answers: {
      200: only('A replay', COMPLETED),
      201: {
        processing: { summary: 'On its way', value: created(PROCESSING) },
        pending: { summary: 'The bank has not answered yet', value: created(PENDING) },
        failed: { summary: 'The bank rejected the details', value: created(FAILED) },
      },
    },
  },
  listPayouts: { answers: { 200: only('The first of several pages', PAGE) } },
  sumPayouts: { answers: { 200: only('Four that arrived, one on its way', SUMMARY) } },
  listPayoutDays: { answers: { 200: only('Two of seven days', DAYS) } },
  readPayout: {
    answers: {
      200: {
        completed: { summary: 'Completed', value: COMPLETED },
        failed: { summary: 'Failed', value: FAILED },
        returned: { summary: 'Returned after it had completed', value: RETURNED },
      },
    },
  },
  listEvents: { answers: { 200: only('One payout, from the end to the beginning', EVENTS) } },
  readEvent: { answers: { 200: only('A payout that completed', EVENT) } },
  streamChanges: { answers: { 200: only('A payout that completed', STREAM) } },
  exportPayouts: { answers: { 200: only('One payout', EXPORT) } },
  readPayoutReceipt: { answers: { 200: only('A file', '%PDF-1.7 …') } },
  checkReceipt: { answers: { 200: only('One that completed', RECEIPT) } },
  readPayoutTimeline: { answers: { 200: only('Completed', TIMELINE) } },
  pausePayouts: {
    answers: {
      200: only('No payout is made any more', {
        object: 'payout_pause',
        environment: 'sandbox',
        paused: true,
        paused_at: '2026-11-02T09:30:00.000Z',
        paused_by: 'an admin',
      }),
    },
  },
  cancelPayout: { answers: { 200: only('Stopped in time', CANCELLED) } },
  readUsage: { answers: { 200: only('A live month', USAGE) } },
  listInvoices: { answers: { 200: only('One invoice', INVOICES) } },
  listKeys: { answers: { 200: only('A key in each environment', KEYS) } },
}
