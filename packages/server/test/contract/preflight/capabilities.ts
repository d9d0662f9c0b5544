// What an account at the bank must be able to do before it can pay, and whom to ask for what is missing.

const SALES = 'Ask the bank’s sales team: they switch it on for each developer, in the sandbox and in live each.'
const SUPPORT = 'Ask the bank’s support (support@bridge.xyz).'

export const CAPABILITIES = {
  address: {
    title: 'An address that answers as the bank does',
    ask: 'Check BANK_CONTRACT_URL: it is the API’s, not the dashboard’s, and ends in /v0, as in https://api.sandbox.bridge.xyz/v0. Check the network and any proxy too.',
  },
  key: {
    title: 'A key that the bank knows',
    ask: 'Check BANK_CONTRACT_KEY. An admin makes one in the bank’s dashboard; a sandbox’s begins with sk-test.',
  },
  rate: { title: 'A rate from dollars to pounds', ask: `It comes with GBP. ${SALES}` },
  customer: {
    title: 'A customer that the bank has approved',
    ask: `Its sandbox approves by simulate_kyc_approval. If it will not: ${SUPPORT} Or name one that is approved in BANK_CONTRACT_CUSTOMER.`,
  },
  pounds: {
    title: 'Pounds by Faster Payments (the endorsement faster_payments)',
    ask: `GBP is in beta. ${SALES}`,
  },
  wallet: { title: 'A wallet for USDC on base', ask: `Custodial wallets are a product of their own. ${SALES}` },
  money: {
    title: 'Test money in the wallet',
    ask: 'Its sandbox gives some by simulate_deposit. If it will not: fund the wallet in the bank’s dashboard, or name another in BANK_CONTRACT_CUSTOMER and BANK_CONTRACT_WALLET.',
  },
  virtual_account: {
    title: 'An account in pounds for top-ups (a virtual account)',
    ask: `It comes with GBP. ${SALES}`,
  },
  liquidation_address: { title: 'An address for top-ups in USDC (a liquidation address)', ask: SUPPORT },
  recipient: {
    title: 'A recipient in pounds (an external account)',
    ask: `It comes with the endorsement faster_payments. ${SALES}`,
  },
  fixed_outputs: {
    title: 'A payment of an exact amount in pounds, by a dry run (fixed outputs)',
    ask: `What the bank says above is missing. ${SALES}`,
  },
} as const satisfies Record<string, { title: string; ask: string }>

export type Capability = keyof typeof CAPABILITIES

/** Without one of these nothing can be paid. The others are ways to top up. */
export const NEEDED_TO_PAY: ReadonlySet<Capability> = new Set([
  'address',
  'key',
  'rate',
  'customer',
  'pounds',
  'wallet',
  'money',
  'recipient',
  'fixed_outputs',
])
