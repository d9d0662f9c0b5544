// Against an account of the operator's own at the bank: `npm run bank:contract`. First what the account can do, then, if
// it can pay, the contract of a rail.
import { describe, expect, it } from 'vitest'

import { CAPABILITIES } from './preflight/capabilities.ts'
import { preflight } from './preflight/preflight.ts'
import { tell, whyNotPayable } from './preflight/report.ts'
import { whyNothingSettles } from './preflight/settling.ts'
import { railContract } from './rail-contract.ts'

const { BANK_CONTRACT_URL: baseUrl = '', BANK_CONTRACT_KEY: apiKey = '' } = process.env
const { BANK_CONTRACT_CUSTOMER: customer, BANK_CONTRACT_WALLET: wallet, BANK_CONTRACT_SETTLES: settles } = process.env

const recipient = {
  type: 'individual',
  first_name: 'Contract',
  last_name: 'Check',
  address: { line1: '1 High Street', city: 'Leeds', postal_code: 'LS1 4AP', region: 'Leeds' },
  bank: { bank_name: 'Test Bank', sort_code: '040004', account_number: '12345678' },
} as const

const { rail, bank, account, findings } = await preflight({
  provider: { baseUrl, apiKey },
  name: new Date().toISOString().slice(0, 10),
  customer: customer ?? null,
  wallet: wallet ?? null,
  recipient,
  patienceMs: 30_000,
})
process.stdout.write(`\n${findings.flatMap(tell).join('\n')}\n\n`)

describe('an account at the bank has', () => {
  const titled = findings.map((finding) => [CAPABILITIES[finding.capability].title, finding] as const)
  it.for(titled)('%s', ([, { capability, verdict, said }], { skip }) => {
    if (verdict === 'not looked at') skip(said)
    expect(verdict, `${said} ${CAPABILITIES[capability].ask}`).toBe('there')
  })
})

railContract(`the account at ${baseUrl}`, () =>
  Promise.resolve({
    rail,
    bank,
    account,
    recipient,
    patienceMs: 10 * 60_000,
    cannotPay: whyNotPayable(findings),
    neverSettles: whyNothingSettles({ baseUrl, said: settles }),
  }),
)
