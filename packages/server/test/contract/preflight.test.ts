// What `npm run bank:contract` says of an account at the bank, whatever that account can do.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { ProviderOptions } from '../../src/rail/provider/provider-client.ts'
import { type TestBank, startTestBank } from '../support/bank.ts'
import { aRecipient } from '../support/fixtures.ts'
import { CAPABILITIES, type Capability } from './preflight/capabilities.ts'
import { type Answer, type Asked, type DressedBank, dressBank } from './preflight/dressed-bank.ts'
import { preflight } from './preflight/preflight.ts'
import { type Finding, tell, whyNotPayable } from './preflight/report.ts'
import { whyNothingSettles } from './preflight/settling.ts'

let bank: TestBank
let dressed: DressedBank
beforeAll(async () => {
  bank = await startTestBank()
  dressed = await dressBank(bank.provider)
})
afterEach(async () => {
  dressed.wear(() => null)
  await bank.control('POST', '/terms', { not_enabled: [] })
})
afterAll(async () => {
  await dressed.close()
  await bank.close()
})

const { address, ...rest } = aRecipient()
const recipient = { ...rest, type: 'individual', address: { ...address, region: address.city } } as const

let runs = 0
const flight = (provider: ProviderOptions) => ({
  provider,
  name: `flight-${(runs += 1)}`,
  customer: null,
  wallet: null,
  recipient,
  patienceMs: 0,
})

const fly = async (provider: ProviderOptions = dressed.provider) => {
  const { findings } = await preflight(flight(provider))
  const text = findings.flatMap(tell).join('\n')
  // Nothing that is said may give the key away, or come out of a program's mouth.
  expect(text).not.toContain(provider.apiKey)
  expect(text).not.toMatch(/undefined|\[object|Cannot read|TypeError|is not a function/)
  return { findings, text }
}

const verdicts = (findings: readonly Finding[]) =>
  Object.fromEntries(findings.map(({ capability, verdict }) => [capability, verdict]))
const missing = (findings: readonly Finding[]) =>
  findings.filter(({ verdict }) => verdict === 'missing').map(({ capability }) => capability)
const of = (findings: readonly Finding[], capability: Capability) =>
  findings.find((each) => each.capability === capability)!

const isCustomer = ({ method, path }: Asked) => method === 'GET' && /^\/customers\/[^/]+$/.test(path)
const isWallet = ({ method, path }: Asked) => method === 'GET' && /\/wallets\/[^/]+$/.test(path)
const refused = (message: string, status = 400): Answer => ({ status, body: { code: 'invalid_parameters', message } })

/** The bank's customer with other endorsements, or another status. */
const customerSaying =
  (status: string, pounds: string) =>
  async (asked: Asked, real: () => Promise<Answer>): Promise<Answer | null> => {
    if (!isCustomer(asked)) return null
    const { body } = await real()
    const base = { name: 'base', status: status === 'active' ? 'approved' : 'incomplete' }
    const endorsements = [base, { name: 'faster_payments', status: pounds }]
    return { status: 200, body: { ...(body as object), status, endorsements } }
  }

describe('an account that can do everything', () => {
  it('is approved, funded, and asked for a payment that is not made', async () => {
    let isFunded = false
    dressed.wear(async (asked, real) => {
      if (asked.path.endsWith('/simulate_deposit')) isFunded = true
      if (!isWallet(asked) || isFunded) return null
      return { status: 200, body: { ...((await real()).body as object), balances: [] } }
    })
    const { findings, text } = await fly()
    expect(of(findings, 'customer').said).toMatch(/approved just now\.$/)
    expect(of(findings, 'money').said).toBe('It holds 10100.00 USDC, some of it added just now.')
    expect(missing(findings)).toEqual([])
    expect(Object.keys(verdicts(findings)).toSorted()).toEqual(Object.keys(CAPABILITIES).toSorted())
    expect(whyNotPayable(findings)).toBeNull()
    expect(text).toContain('POST /transfers (dry run) → 201')
    expect(text).toContain('The bank would take 5.00 GBP. Nothing was paid.')
    expect((await bank.books()).transfers).toEqual([])
  })

  it('is told what was asked and answered for each', async () => {
    const { findings } = await fly()
    expect(of(findings, 'rate').said).toBe(
      '0.79 pounds for a dollar. A sandbox’s rates are fixtures and may be old: live has its own.',
    )
    expect(of(findings, 'rate').exchanges).toEqual(['GET /exchange_rates?from=usd&to=gbp → 200'])
    expect(findings.filter(({ exchanges }) => exchanges.length === 0)).toEqual([])
  })
})

describe('an account that was looked at before', () => {
  it('has the same customer and the same wallet', async () => {
    const again = await preflight({ ...flight(dressed.provider), name: 'twice' })
    const first = await preflight({ ...flight(dressed.provider), name: 'twice' })
    expect(first.account).not.toBeNull()
    expect(again.account).toEqual(first.account)
  })

  it('may be one that the operator names, and is then not opened', async () => {
    const { account } = await preflight({ ...flight(dressed.provider), name: 'named' })
    const { holderRef: customer, walletRef: wallet } = account!
    const { findings } = await preflight({ ...flight(dressed.provider), customer, wallet })
    expect(missing(findings)).toEqual([])
    expect(
      findings.flatMap(({ exchanges }) => exchanges).filter((line) => /^POST \/customers( |\S*wallets )/.test(line)),
    ).toEqual([])
  })
})

describe('what is missing is said, and whom to ask for it:', () => {
  it('a customer that the bank does not approve', async () => {
    const said = customerSaying('under_review', 'incomplete')
    dressed.wear((asked, real) =>
      asked.path.endsWith('/simulate_kyc_approval') ? refused('Unknown route', 404) : said(asked, real),
    )
    const { findings, text } = await fly()
    expect(missing(findings)).toEqual(['customer'])
    expect(verdicts(findings)).toMatchObject({ rate: 'there', wallet: 'not looked at', fixed_outputs: 'not looked at' })
    expect(of(findings, 'customer').said).toMatch(
      /^The bank calls the customer \S+ under_review, base: incomplete, faster_payments: incomplete\. Asked to approve it: The bank answered 404 \(invalid_parameters\): Unknown route$/,
    )
    expect(text).toContain('simulate_kyc_approval → 404 invalid_parameters: Unknown route')
    expect(text).toContain('support@bridge.xyz')
    expect(whyNotPayable(findings)).toBe('Not tried, for want of: A customer that the bank has approved.')
  })

  it('the endorsement for pounds', async () => {
    dressed.wear(customerSaying('active', 'incomplete'))
    const { findings, text } = await fly()
    expect(missing(findings)).toEqual(['pounds'])
    expect(of(findings, 'pounds').said).toMatch(/may not use pounds: its endorsement faster_payments is incomplete\.$/)
    expect(text).toContain('GBP is in beta. Ask the bank’s sales team')
    expect(verdicts(findings)).toMatchObject({ wallet: 'there', money: 'there', recipient: 'not looked at' })
  })

  it('a wallet', async () => {
    dressed.wear(({ method, path }) =>
      method === 'POST' && path.endsWith('/wallets') ? refused('Customer has not completed onboarding') : null,
    )
    const { findings } = await fly()
    expect(missing(findings)).toEqual(['wallet'])
    expect(of(findings, 'wallet').said).toContain('Customer has not completed onboarding')
  })

  it('money in the wallet, when the bank gives no test money', async () => {
    dressed.wear(async (asked, real) => {
      if (asked.path.endsWith('/simulate_deposit')) return refused('Not found', 404)
      if (!isWallet(asked)) return null
      return { status: 200, body: { ...((await real()).body as object), balances: [] } }
    })
    const { findings, text } = await fly()
    expect(missing(findings)).toEqual(['money'])
    expect(of(findings, 'money').said).toMatch(/^It holds 0\.00 USDC and needs 20\.00\. The bank answered 404/)
    expect(text).toContain('BANK_CONTRACT_CUSTOMER and BANK_CONTRACT_WALLET')
    expect(verdicts(findings)['fixed_outputs']).toBe('not looked at')
  })

  it('pounds, where they are switched on for nobody', async () => {
    await bank.control('POST', '/terms', { not_enabled: ['gbp'] })
    dressed.wear(({ path }) => {
      if (path === '/exchange_rates') return refused('to: gbp is not supported')
      return path.endsWith('/virtual_accounts') ? refused('GBP is not enabled for this developer.') : null
    })
    const { findings, text } = await fly()
    expect(missing(findings)).toEqual(['rate', 'pounds', 'virtual_account'])
    expect(text).toContain('GET /exchange_rates?from=usd&to=gbp → 400 invalid_parameters: to: gbp is not supported')
    expect(of(findings, 'virtual_account').said).toContain('GBP is not enabled for this developer.')
    expect(of(findings, 'liquidation_address').verdict).toBe('there')
  })

  it('fixed outputs, in the words of the dry run', async () => {
    const says = 'Fixed outputs are not enabled for this developer.'
    await bank.control('POST', '/terms', { not_enabled: ['fixed_outputs'] })
    const { findings, text } = await fly()
    expect(missing(findings)).toEqual(['fixed_outputs'])
    expect(of(findings, 'fixed_outputs').said).toBe(`The bank would not take it: ${says}`)
    expect(text).toContain('Ask the bank’s sales team: they switch it on for each developer')
    expect((await bank.books()).transfers).toEqual([])
  })

  it('a recipient, in the bank’s words', async () => {
    dressed.wear(({ method, path }) =>
      method === 'POST' && path.endsWith('/external_accounts') ? refused('currency gbp is not supported') : null,
    )
    const { findings, text } = await fly()
    expect(missing(findings)).toEqual(['recipient'])
    expect(text).toContain('/external_accounts → 400 invalid_parameters: currency gbp is not supported')
  })
})

describe('a bank that cannot be spoken to is told from one that refuses:', () => {
  it('a wrong key, which is not repeated even if the bank does', async () => {
    const apiKey = 'sk-test-wrong'
    const { findings, text } = await fly({ ...bank.provider, apiKey })
    expect(missing(findings)).toEqual(['key'])
    expect(of(findings, 'key').said).toMatch(/^The bank does not let us in: it answered 401/)
    expect(text).toContain('Check BANK_CONTRACT_KEY')
    dressed.wear(() => ({ status: 401, body: { code: 'invalid', message: `The key ${apiKey} is not known.` } }))
    expect((await fly({ ...dressed.provider, apiKey })).text).toContain('The key … is not known.')
  })

  it('nobody there', async () => {
    const gone = await dressBank(bank.provider)
    await gone.close()
    const { findings, text } = await fly(gone.provider)
    expect(missing(findings)).toEqual(['address'])
    expect(text).toContain(`Nobody answers at ${gone.provider.baseUrl}. The bank could not be reached (ECONNREFUSED).`)
    expect(whyNotPayable(findings)).toContain('An address that answers as the bank does')
  })

  it.each([
    { answer: { status: 200, body: '<!doctype html><title>Sign in</title>' }, says: /is no API: it says 200/ },
    { answer: { status: 404, body: { message: 'no route' } }, says: /no customers in it \(404\)/ },
    { answer: { status: 429, body: { code: 'rate_limited' } }, says: /in trouble or busy \(429\)/ },
    { answer: { status: 500, body: { errors: [{ code: 'unexpected' }] } }, says: /in trouble or busy \(500\)/ },
  ])('what answers $answer.status', async ({ answer, says }) => {
    dressed.wear(() => answer)
    const { findings } = await fly()
    expect(missing(findings)).toEqual(['address'])
    expect(of(findings, 'address').said).toMatch(says)
    expect(findings.filter(({ verdict }) => verdict === 'not looked at')).toHaveLength(findings.length - 1)
  })

  it.each([[{}], [[]], [null], [{ data: null, id: 7, balances: 'all', endorsements: 'none', state: [] }]])(
    'answers that make no sense: %j',
    async (body) => {
      for (const path of ['/exchange_rates', '/wallets', '/virtual_accounts', '/external_accounts', '/transfers', '']) {
        dressed.wear((asked) =>
          asked.path !== '/customers' && asked.path.includes(path) ? { status: 200, body } : null,
        )
        expect(missing((await fly()).findings)).not.toEqual([])
      }
    },
  )
})

describe('settling', () => {
  it('is not waited for where it never comes, with the reason', () => {
    const at = (baseUrl: string, said?: string) => whyNothingSettles({ baseUrl, said })
    expect(at('https://api.sandbox.bridge.xyz/v0')).toMatch(/never settles one/)
    expect(at('https://sandbox.bridge.xyz.example/v0')).toBeNull()
    expect(at(bank.provider.baseUrl)).toBeNull()
    expect(at(bank.provider.baseUrl, 'no')).toMatch(/BANK_CONTRACT_SETTLES/)
  })
})
