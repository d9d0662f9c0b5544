// The single looks of the preflight. Each gives what it found or throws why it is missing.
import { setTimeout as pause } from 'node:timers/promises'

import { type MicroUsdc, formatUsdcExact, parseUsdc } from '../../../src/core/money.ts'
import type { PartnerBank, PayoutRail } from '../../../src/rail/port.ts'
import { type Json, isJson } from '../../../src/rail/provider/json-words.ts'
import type { ProviderReply } from '../../../src/rail/provider/provider-client.ts'
import type { RecipientDetails, WalletAtBank } from '../../../src/rail/transfer.ts'
import { aRequest } from '../a-request.ts'
import { type Customer, hasPounds, isApproved, readCustomer, words } from './customer.ts'
import { Missing } from './missing.ts'
import type { Found, PreflightOptions } from './preflight.ts'
import type { TalkingClient } from './talking-client.ts'

const ENOUGH = parseUsdc('20.00')!
const GIFT = parseUsdc('100.00')!

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Any answer of the bank's own, be it a refusal. */
export async function findAddress(client: TalkingClient, baseUrl: string): Promise<Found<true>> {
  const reply = await client.call({ method: 'GET', path: '/customers?limit=1' })
  if (reply.kind !== 'answered') throw new Missing(`Nobody answers at ${baseUrl}. ${reply.reason}`)
  if (!isJson(reply.body)) {
    throw new Missing(`What answers at ${baseUrl} is no API: it says ${reply.status} with something that is no JSON.`)
  }
  if (reply.status === 404) throw new Missing(`There is an API at ${baseUrl}, and no customers in it (404).`)
  if (reply.status >= 500 || reply.status === 429) {
    throw new Missing(`The bank is in trouble or busy (${reply.status}). Try again later.`)
  }
  return { found: true, said: `${baseUrl} answers in JSON.` }
}

export async function findKey(client: TalkingClient): Promise<Found<true>> {
  const reply = await client.call({ method: 'GET', path: '/customers?limit=1' })
  if (reply.kind === 'answered' && reply.status < 300) return { found: true, said: 'The bank lets us in.' }
  throw new Missing(`The bank does not let us in: ${words(reply)}`)
}

export async function findCustomer(
  { bank, client }: { bank: PartnerBank; client: TalkingClient },
  { customer: named, name }: PreflightOptions,
): Promise<Found<Customer>> {
  const own = { id: `contract-${name}`, name: 'Contract check' }
  const id = named ?? (await bank.openSandboxHolder(own, own.id))
  const before = await readCustomer(client, id)
  if (isApproved(before) && hasPounds(before)) return { found: before, said: `The customer ${id}.` }
  const refusal = await bank.approveSandboxHolder(id).then(() => null, messageOf)
  const customer = await readCustomer(client, id)
  if (isApproved(customer)) return { found: customer, said: `The customer ${id}, approved just now.` }
  const why = refusal === null ? '' : ` Asked to approve it: ${refusal}`
  throw new Missing(`The bank calls the customer ${id} ${inWords(customer)}.${why}`)
}

const inWords = ({ status, endorsements }: Customer) =>
  [status, ...[...endorsements].map(([name, word]) => `${name}: ${word}`)].join(', ')

export async function findPounds(client: TalkingClient, { id }: Customer): Promise<Found<true>> {
  const customer = await readCustomer(client, id)
  if (hasPounds(customer)) return { found: true, said: 'The customer may use them.' }
  const word = customer.endorsements.get('faster_payments') ?? 'not there'
  throw new Missing(`The customer ${id} may not use pounds: its endorsement faster_payments is ${word}.`)
}

export async function findWallet(
  bank: PartnerBank,
  holderRef: string,
  { wallet, name }: PreflightOptions,
): Promise<Found<WalletAtBank>> {
  const walletRef = wallet ?? (await bank.openWallet(holderRef, `contract:${name}`)).walletRef
  return { found: { holderRef, walletRef }, said: `The wallet ${walletRef}.` }
}

export async function findMoney(
  bank: PartnerBank,
  account: WalletAtBank,
  { name, patienceMs }: PreflightOptions,
): Promise<Found<MicroUsdc>> {
  const before = await bank.readWalletBalance(account)
  if (before >= ENOUGH) return { found: before, said: `It holds ${formatUsdcExact(before)} USDC.` }
  const refusal = await bank.addTestMoney(account, GIFT, `contract:${name}`).then(() => null, messageOf)
  const end = Date.now() + patienceMs
  for (;;) {
    const now = await bank.readWalletBalance(account)
    if (now >= ENOUGH) return { found: now, said: `It holds ${formatUsdcExact(now)} USDC, some of it added just now.` }
    if (refusal !== null || Date.now() > end) {
      const why = refusal ?? 'The test money did not arrive.'
      throw new Missing(`It holds ${formatUsdcExact(now)} USDC and needs ${formatUsdcExact(ENOUGH)}. ${why}`)
    }
    await pause(250)
  }
}

const WAYS = {
  chain: {
    path: '/liquidation_addresses',
    said: 'The bank gives an address that feeds the wallet.',
    isIn: (row: Json) => typeof row['address'] === 'string',
  },
  bank: {
    path: '/virtual_accounts',
    said: 'The bank gives an account in pounds that feeds the wallet.',
    isIn: (row: Json) => isJson(row['source_deposit_instructions']),
  },
} as const

/** Both ways are opened at once. This one is there if the bank has answered for it. */
export async function findTopUp(
  { bank, client }: { bank: PartnerBank; client: TalkingClient },
  account: WalletAtBank,
  { key, kind }: { key: string; kind: keyof typeof WAYS },
): Promise<Found<true>> {
  const { path, said, isIn } = WAYS[kind]
  const failure = await bank.openTopUp(account, key).then(() => null, messageOf)
  await client.quiet()
  const own = client.keepExchanges(({ request }) => request.path.includes(path))
  if (own.some(({ reply }) => rowsIn(reply).some(isIn))) return { found: true, said }
  const last = own.at(-1)
  throw new Missing(`The bank gives none: ${last === undefined ? failure : words(last.reply)}`)
}

/** The thing itself, or those of a list. */
function rowsIn(reply: ProviderReply): Json[] {
  if (reply.kind !== 'answered' || reply.status >= 300 || !isJson(reply.body)) return []
  const { data } = reply.body
  return Array.isArray(data) ? data.filter(isJson) : [reply.body]
}

export async function findRecipient(
  rail: PayoutRail,
  account: WalletAtBank,
  { recipient, key }: { recipient: RecipientDetails; key: string },
): Promise<Found<string>> {
  const answer = await rail.registerRecipient(account, recipient, key)
  if (answer.kind !== 'registered') throw new Missing(`The bank takes no recipient: ${answer.reason}`)
  return { found: answer.recipientRef ?? '', said: 'The bank takes one with a sort code and an account number.' }
}

/** The adapter's own request for a payment, word for word, and marked as a try. */
export async function tryDry(
  client: TalkingClient,
  under: { rail: PayoutRail; account: WalletAtBank | null; recipient: RecipientDetails },
): Promise<Found<true>> {
  const request = await aRequest(under)
  client.isDry = true
  await under.rail.submit(request).finally(() => (client.isDry = false))
  const reply = client.keepExchanges(({ request: { path } }) => path === '/transfers').at(-1)?.reply
  if (reply?.kind !== 'answered') throw new Missing('The bank gave no answer to a dry run.')
  const { status, body } = reply
  if (status >= 300 || !isJson(body)) throw new Missing(`The bank would not take it: ${words(reply)}`)
  if (body['state'] === 'valid') return { found: true, said: 'The bank would take 5.00 GBP. Nothing was paid.' }
  const notes = Array.isArray(body['notes']) ? body['notes'].filter((note) => typeof note === 'string') : []
  throw new Missing(`The bank would not take it: ${notes.join(' ') || 'it does not say why.'}`)
}
