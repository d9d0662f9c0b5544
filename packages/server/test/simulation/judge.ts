// Judges what has come of a story by the bank's books and by what the partner was told, and by nothing that the program thinks.
import type { TestApp } from '../support/app.ts'
import { sql } from '../support/fixtures.ts'
import { type BankActor, type Transfer, isPaid } from './bank-actor.ts'
import type { Order, PartnerActor } from './partner-actor.ts'

export interface PayoutInBooks {
  readonly id: string
  readonly key: string
  readonly status: string
  readonly sendState: string
  readonly refundState: string
  readonly isSurfaced: boolean
  readonly micro: bigint
  /** When the money of its last attempt was held. */
  readonly reservedAt: Date
}

export function readPayouts(test: TestApp, partnerId: string): Promise<PayoutInBooks[]> {
  return sql<PayoutInBooks>(
    test,
    `select id, idempotency_key as key, status, send_state as "sendState", refund_state as "refundState",
            surfaced_at is not null as "isSurfaced", wallet_sends_micro as micro, created_at as "reservedAt"
       from payouts where partner_id = $1 and environment = 'sandbox' order by id`,
    [partnerId],
  )
}

/** Alarms that a bank which keeps its word never gives a reason for. */
const NEVER =
  /given up|another transfer|that we do not|could not be written|threw|could not be asked|another amount|contradicts|does not hold|another reference|leaves over|state that we do not know|another recipient/

const ENDINGS = new Set(['completed', 'failed', 'cancelled', 'returned'])

interface Judged {
  readonly bank: BankActor
  readonly partner: PartnerActor
  readonly alarms: readonly string[]
  readonly payouts: readonly PayoutInBooks[]
  readonly begun: bigint
}

export async function judge(test: TestApp, judged: Judged): Promise<string[]> {
  const { alarms, payouts, partner, bank } = judged
  const wrong = alarms.filter((alarm) => NEVER.test(alarm)).map((alarm) => `alarm: ${alarm}`)
  const made = new Map<string, Transfer[]>()
  for (const each of bank.transfers) made.set(each.reference, [...(made.get(each.reference) ?? []), each])
  for (const [reference, transfers] of made) {
    if (transfers.length > 1) wrong.push(`payout ${reference} has ${transfers.length} transfers at the bank`)
    if (!payouts.some(({ id }) => id === reference)) wrong.push(`the bank has ${reference}, which is no payout`)
  }
  for (const payout of payouts) wrong.push(...wrongWith(payout, made.get(payout.id)?.[0]))
  for (const order of partner.orders) wrong.push(...wrongTold(order, { payouts, bank }))
  return [...wrong, ...(await wrongSums(test, judged)), ...(await wrongEndings(test, judged))]
}

/** One ending, which is what the bank's books say. */
function wrongWith(
  { id, status, sendState, refundState, isSurfaced }: PayoutInBooks,
  transfer: Transfer | undefined,
): string[] {
  const said = `payout ${id} is ${status} (${sendState}, refund ${refundState}), at the bank ${transfer?.state ?? 'is nothing'}`
  if (!isSurfaced) return transfer === undefined && sendState !== 'sending' ? [] : [`given up, and made: ${said}`]
  if (!ENDINGS.has(status)) return [`it has no ending: ${said}`]
  const isGone = transfer !== undefined && isPaid(transfer)
  if ((status === 'completed') !== isGone) return [`its ending is not the bank’s: ${said}`]
  if (status === 'completed') return []
  const isBack = transfer === undefined || ['refunded', 'canceled'].includes(transfer.state)
  return isBack && refundState === 'done' ? [] : [`its money is not back: ${said}`]
}

/** Whoever has a payout keeps it; whoever was told that nothing was sent was told the truth. */
function wrongTold({ key, heard }: Order, { payouts, bank }: Pick<Judged, 'payouts' | 'bank'>): string[] {
  const wrong: string[] = []
  const own = payouts.filter((each) => each.key === key)
  const transfers = bank.transfers.filter(({ reference }) => own.some(({ id }) => id === reference))
  if (transfers.length > 1) wrong.push(`${key} has ${transfers.length} transfers at the bank`)
  if (own.filter(({ isSurfaced }) => isSurfaced).length > 1) wrong.push(`${key} has several payouts`)
  const ids = new Set(heard.flatMap(({ id }) => id ?? []))
  if (ids.size > 1) wrong.push(`${key} was answered with ${[...ids].join(' and ')}`)
  const reserved = transfers.map(({ reference }) => own.find(({ id }) => id === reference)!.reservedAt.getTime())
  for (const { said, began, ended } of heard) {
    if (said !== 'nothing' || ended === null) continue
    if (reserved.some((at) => at < began)) wrong.push(`${key} was told that nothing was sent of what was under way`)
    // What was sent was sent by another request, then: one that had not ended when this one began.
    const others = heard.filter((each) => each.began !== began || each.ended !== ended)
    const isByOther = others.some((each) => each.ended === null || each.ended > began)
    if (transfers.length > 0 && !isByOther) wrong.push(`${key} was told that nothing was sent, and it was`)
    if (heard.some((each) => each.id !== null && each.ended! < ended))
      wrong.push(`${key} had a payout, and then nothing`)
  }
  return wrong
}

async function wrongSums(test: TestApp, { bank, partner, begun, payouts }: Judged): Promise<string[]> {
  const rows = await sql<{ account: string; balance: bigint }>(
    test,
    `select account, balance from ledger_accounts where partner_id = $1 and environment = 'sandbox'`,
    [partner.scope.partnerId],
  )
  const balance = (name: string) => rows.find(({ account }) => account === name)?.balance ?? 0n
  const paid = bank.transfers.filter(isPaid).reduce((sum, { micro }) => sum + micro, 0n)
  const completed = payouts.filter(({ status }) => status === 'completed').reduce((sum, { micro }) => sum + micro, 0n)
  const expected = { available: begun - paid, held: 0n, in_transit: 0n, paid_out: completed }
  const wrong = Object.entries(expected).flatMap(([account, sum]) =>
    balance(account) === sum ? [] : [`${account} is ${balance(account)} and should be ${sum}`],
  )
  if (bank.balance !== begun - paid) wrong.push(`the bank’s wallet has ${bank.balance} and should have ${begun - paid}`)
  return wrong
}

/** What the partner's programs heard of: an end is told once, and nothing but a return after that. */
async function wrongEndings(test: TestApp, { partner }: Judged): Promise<string[]> {
  const rows = await sql<{ id: string; types: string[] }>(
    test,
    `select subject_id as id, array_agg(type order by sequence) as types from events
      where partner_id = $1 and environment = 'sandbox' and facts is null group by subject_id`,
    [partner.scope.partnerId],
  )
  return rows.flatMap(({ id, types }) => {
    const ends = types.map((type) => type.replace('payout.', '')).filter((type) => ENDINGS.has(type))
    const isRight = ends.length === 1 || ends.join(' ') === 'completed returned'
    return isRight ? [] : [`payout ${id} was told to have ended ${ends.length} times: ${types.join(', ')}`]
  })
}
