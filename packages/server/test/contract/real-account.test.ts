// Against an account of the operator's own at the bank: `npm run bank:contract`.
import { connectProvider } from '../../src/rail/provider/connect-provider.ts'
import { railContract } from './rail-contract.ts'

const { BANK_CONTRACT_URL: baseUrl = '', BANK_CONTRACT_KEY: apiKey = '' } = process.env
const { BANK_CONTRACT_CUSTOMER: customer, BANK_CONTRACT_WALLET: wallet } = process.env

railContract(`the account at ${baseUrl}`, async () => {
  const { rail, bank } = connectProvider('provider_sandbox', { baseUrl, apiKey })
  const today = new Date().toISOString().slice(0, 10)
  const own = { id: `contract-${today}`, name: 'Contract check' }
  const holderRef = customer ?? (await bank!.openSandboxHolder(own, own.id))
  if (!(await bank!.readHolder(holderRef)).hasPounds) await bank!.approveSandboxHolder(holderRef)
  const account =
    wallet === undefined
      ? await bank!.openWallet(holderRef, `contract:${today}:${holderRef}`)
      : { holderRef, walletRef: wallet }
  return {
    rail,
    bank,
    account,
    recipient: {
      type: 'individual',
      first_name: 'Contract',
      last_name: 'Check',
      address: { line1: '1 High Street', city: 'Leeds', postal_code: 'LS1 4AP', region: 'Leeds' },
      bank: { bank_name: 'Test Bank', sort_code: '040004', account_number: '12345678' },
    },
    patienceMs: 10 * 60_000,
  }
})
