// What the bank adds to an account: its wallet there, how to top up, and the start of verification.
import type { Account, Compliance, Funding } from '@kestrel/contract'

import { ACCOUNT, COMPLIANCE } from './account-examples.ts'

const ADDRESS = '0x9b1c6f0d2f7a4e8d35c0b1a6e47f2d90c8a3e51b'

export const CONNECTED_ACCOUNT: Account = {
  ...ACCOUNT,
  funding_wallet: { ...ACCOUNT.funding_wallet, address: ADDRESS },
  rail: 'provider_sandbox',
}

/** 395.00 pounds at 0.79, after a round sum on chain. */
export const FUNDING: Funding = {
  object: 'funding',
  bank_transfer: {
    account_name: 'Thistle Market',
    bank_name: 'Sandbox Bank',
    sort_code: '999999',
    account_number: '10000001',
    reference: null,
  },
  onchain: { currency: 'USDC', chain: 'base', address: ADDRESS },
  missing: [],
  deposits: [
    {
      id: '5b0e9c1f-3a8e-4c57-9a0d-61f3d2b7c4e8',
      source: 'bank',
      usdc: '500.00',
      received_at: '2026-11-02T08:41:07.315Z',
    },
    {
      id: 'c2d47f90-18b6-4f3e-8d21-7e90a4c6b513',
      source: 'chain',
      usdc: '2000.00',
      received_at: '2026-10-29T15:20:44.902Z',
    },
  ],
  top_ups: [
    {
      id: 'c2d47f90-18b6-4f3e-8d21-7e90a4c6b513',
      source: 'chain',
      usdc: '2000.00',
      at: '2026-11-02T08:43:00.120Z',
      note: null,
    },
    {
      id: '5b0e9c1f-3a8e-4c57-9a0d-61f3d2b7c4e8',
      source: 'bank',
      usdc: '500.00',
      at: '2026-11-02T08:42:59.004Z',
      note: null,
    },
    {
      id: '01a1946c-7be0-76f0-b316-00a35a099951',
      source: 'operator',
      usdc: '10000.00',
      at: '2026-10-29T15:00:00.000Z',
      note: 'Sandbox float',
    },
  ],
}

export const UNCONNECTED_FUNDING: Funding = {
  object: 'funding',
  bank_transfer: null,
  onchain: null,
  missing: [],
  deposits: [],
  top_ups: [],
}

export const VERIFICATION_STARTED: Compliance = {
  ...COMPLIANCE,
  business_verification: {
    status: 'in_progress',
    provider_status: 'not_started',
    continue_url: 'https://bank.example/verify/7d3f0a52-9c1e-4b86-a5d4-20f8e6c91b37',
    terms_url: 'https://bank.example/accept-terms-of-service/7d3f0a52-9c1e-4b86-a5d4-20f8e6c91b37',
    can_start: true,
    live_open: false,
    missing: [],
  },
}
