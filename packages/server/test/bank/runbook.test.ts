// docs/operations.md says what to do about each alarm. Here each alarm is raised, and what the page says is carried out
// with the commands that it names. An alarm of the catalogue without a procedure here does not compile.
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { EXCESS_WALLET_ID } from '@kestrel/bank'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { payoutInLines } from '../../src/cli/present-payout.ts'
import { newId } from '../../src/core/ids.ts'
import { type MicroUsdc, formatUsdcExact, microUsdc } from '../../src/core/money.ts'
import { londonMonth, monthBefore } from '../../src/core/london-month.ts'
import { keyId } from '../../src/core/seal.ts'
import { handleBankEvents, receiveBankEvent } from '../../src/domain/banking/feeds/bank-events.ts'
import { sweepDeposits } from '../../src/domain/banking/feeds/credit-deposits.ts'
import { connectWallets } from '../../src/domain/banking/sandbox/connect-wallets.ts'
import { checkRefunds } from '../../src/domain/banking/refunds/check-refunds.ts'
import { reconcileBank } from '../../src/domain/banking/reconcile/reconcile-bank.ts'
import { reconcile } from '../../src/domain/banking/reconcile/reconcile.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { issueInvoices } from '../../src/domain/billing/issue-invoices.ts'
import { mailInvoiceNow } from '../../src/domain/billing/mail-invoice-now.ts'
import { mailInvoices } from '../../src/domain/billing/mail-invoices.ts'
import { deliverMails } from '../../src/domain/mail/deliver-mails.ts'
import { queueMail } from '../../src/domain/mail/queue-mail.ts'
import { readMailbox } from '../../src/domain/mail/read-mailbox.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { releasePayout } from '../../src/domain/payouts/follow/release-payout.ts'
import { showPayout } from '../../src/domain/payouts/read/show-payout.ts'
import { createOldPayoutMarker } from '../../src/domain/recipients/mark-old-payouts.ts'
import { reseal } from '../../src/domain/recipients/reseal.ts'
import { ALARM_CATALOGUE, type AlarmName } from '../../src/domain/watch/alarms/alarm-catalogue.ts'
import { creditWallet } from '../../src/domain/wallet/credit-wallet.ts'
import { createEndpoint } from '../../src/domain/webhooks/create-endpoint.ts'
import { readWatch } from '../../src/domain/watch/read-watch.ts'
import { tellOfClosedWallets } from '../../src/domain/watch/tell-of-closed-wallets.ts'
import { tellOfDurability } from '../../src/domain/watch/tell-of-durability.ts'
import { MailRefused } from '../../src/mail/mail.ts'
import { leasePayout } from '../../src/storage/payout-leases.ts'
import { beginResealing } from '../../src/storage/resealing.ts'
import { type BankApp, accountAtBank, startBankApp } from '../support/bank-app.ts'
import { type Kestrel, commandsOn } from '../support/commands.ts'
import { FOLLOWED_NOW, type TestPartner, balanceOf, createPayout, sql } from '../support/fixtures.ts'
import { BROKEN_PNG } from '../support/images.ts'
import { type LyingBank, startLyingBank } from '../support/lying-bank.ts'
import { verifyPartner } from '../support/verified.ts'
import { createWholeProgram } from '../support/whole-program.ts'

const FLOAT = 10_000_000_000n
const SENT = 32_070_000n
const SOURCE = join(import.meta.dirname, '../../src/domain')
const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/operations.md'), 'utf8')
const [ALARMS = ''] = PAGE.slice(PAGE.indexOf('\n## Alarms\n') + 1).split('\n## ')

let test: BankApp
let lying: LyingBank
let kestrel: Kestrel
let partner: TestPartner
beforeAll(async () => {
  test = await startBankApp({
    through: async (bank) => {
      lying = await startLyingBank(bank.provider)
      return lying.provider
    },
  })
  await test.bank.query('alter table transfers disable trigger user')
  await test.bank.standStill()
  kestrel = commandsOn(test, lying.provider)
})
afterAll(async () => {
  await test.close()
  await lying.close()
})
beforeEach(async () => {
  partner = await test.aConnectedPartner()
})

const REASON = ['--reason', 'so said the bank, ticket 17']
const onWallet = () => ['--partner', partner.slug, '--environment', 'sandbox', ...REASON]
const show = (id: string) => kestrel('payout', 'show', id)
const rewind = (feed: string) =>
  kestrel('bank', 'rewind', '--environment', 'sandbox', '--feed', feed, '--to', '2026-01-01T00:00:00Z')
const booksAgree = async () => expect(await reconcileBank(test.deps, 'sandbox')).toEqual([])
const fault = (mode: string) => test.bank.control('POST', '/faults', { route: 'POST /v0/transfers', mode })
const step = (ref: string, name: string) => test.bank.control('POST', `/transfers/${ref}/${name}`)
const sweep = async () => {
  await sweepTransfers(test.deps, 'sandbox')
  await sweepDeposits(test.deps, 'sandbox')
}

/** The bank's receipt of a transfer says something else, in lists and by its id. */
function lieInReceipt(ref: string, said: object): void {
  for (const path of ['/transfers', `/transfers/${ref}`]) {
    lying.lieAbout(path, (rows) =>
      rows.map((row) => (row['id'] === ref ? { ...row, receipt: { ...(row['receipt'] as object), ...said } } : row)),
    )
  }
}

/** Changes the row past the guard, as only the owner of the database can. */
async function putSealed(id: string, sealed: Buffer): Promise<void> {
  await sql(test, 'alter table payouts disable trigger guard_payout')
  await sql(test, 'update payouts set recipient_sealed = $2 where id = $1', [id, sealed])
  await sql(test, 'alter table payouts enable trigger guard_payout')
}

/** What the worker does after a start with new keys; here they are the same as before. */
async function lookThroughAll(): Promise<void> {
  const { sealKey, fingerprintKey } = test.deps.secrets
  const to = { sealKey: keyId(sealKey), fingerprintKey: keyId(fingerprintKey) }
  await test.deps.db.inTransaction(async (tx) => beginResealing(tx, to))
  while (await reseal(test.deps));
}

async function closeAlarm(partnerId: string): Promise<void> {
  const { alarms } = (await kestrel('alarms', 'list')) as { alarms: { id: string; about: Record<string, unknown> }[] }
  const open = alarms.filter(({ about }) => about['partnerId'] === partnerId)
  expect(open).toHaveLength(1)
  await kestrel('alarms', 'close', open[0]!.id)
}

async function aPayout(): Promise<string> {
  return (await createPayout(test, partner)).json<{ id: string }>().id
}

/** What the bank waits for the money of could explain what its wallet holds. */
async function handOverAll(): Promise<void> {
  for (const { id, state } of (await test.bank.books()).transfers) {
    if (state === 'awaiting_funds') await step(id, 'submit')
  }
  await sweep()
}

const transferOf = async (id: string) =>
  (await test.bank.books()).transfers.find((each) => each.client_reference_id === id)!.id

/** Changes a transfer in the bank's database in a way that its API does not allow. */
async function put(ref: string, change: string): Promise<void> {
  await test.bank.query(
    `update transfers set ${change}, updated_at = greatest(updated_at, now()) + interval '1 second' where id = $1`,
    [ref],
  )
}

/** Money that the bank moves by hand. */
async function adjust(amount: bigint): Promise<void> {
  const { walletRef } = await accountAtBank(test, partner)
  const moved = { amount_micro: String(amount), reason: 'by hand' }
  await test.bank.control('POST', `/wallets/${walletRef}/adjust`, moved)
}

/** The same in the operator's own wallet there. */
async function adjustExcess(amount: bigint): Promise<void> {
  const moved = { amount_micro: String(amount), reason: 'by hand' }
  await test.bank.control('POST', `/wallets/${EXCESS_WALLET_ID}/adjust`, moved)
}

/** Money that the operator puts into its own wallet, and notes. */
async function noteExcess(amount: bigint): Promise<void> {
  await adjustExcess(amount)
  const usdc = formatUsdcExact(microUsdc(amount))
  await kestrel('bank', 'excess-moved', '--environment', 'sandbox', '--in', usdc, ...REASON)
}

/** As if the bank had refunded it two days ago. */
const settled = (id: string) =>
  sql(
    test,
    `update refund_checks set refunded_at = refunded_at - interval '2 days', next_look_at = now() - interval '1 second' where payout_id = $1`,
    [id],
  )

/** As if it were time to look at the payout, also where it is at rest. */
const isDue = (id: string) => sql(test, FOLLOWED_NOW, [id])

/** As if the payout had been made, or had ended, before. */
async function longAgo(id: string, column: 'created_at' | 'ended_at', age: string): Promise<void> {
  await sql(test, 'alter table payouts disable trigger guard_payout')
  await sql(test, `update payouts set ${column} = ${column} - $2::interval where id = $1`, [id, age])
  await isDue(id)
  await sql(test, 'alter table payouts enable trigger guard_payout')
}

/** A payout of which the bank has said nothing; made long ago, as far as anybody can tell. */
async function inDoubt(mode: 'reset_before' | 'reset_after', age = '2 days'): Promise<string> {
  await aPayout()
  await fault(mode)
  const id = await aPayout()
  await sql(test, 'update payouts set created_at = created_at - $2::interval where id = $1', [id, age])
  await isDue(id)
  return id
}

/** A transfer on the partner's wallet that was made at the bank directly, without the service. */
async function pastUs(reference: string): Promise<string> {
  const { holderRef, walletRef } = await accountAtBank(test, partner)
  await aPayout()
  const query = 'select id from external_accounts where customer_id = $1'
  const [account] = await test.bank.query<{ id: string }>(query, [holderRef])
  const reply = await fetch(`${test.bank.provider.baseUrl}/transfers`, {
    method: 'POST',
    headers: {
      'api-key': test.bank.provider.apiKey,
      'content-type': 'application/json',
      'idempotency-key': `past-us-${reference}`,
    },
    body: JSON.stringify({
      client_reference_id: reference,
      on_behalf_of: holderRef,
      source: { payment_rail: 'bridge_wallet', currency: 'usdc', bridge_wallet_id: walletRef, amount: '32.07' },
      destination: {
        payment_rail: 'faster_payments',
        currency: 'gbp',
        external_account_id: account!.id,
        amount: '25.00',
      },
    }),
  })
  expect(reply.status).toBe(201)
  return ((await reply.json()) as { id: string }).id
}

async function arrives(amount: string): Promise<string> {
  const { walletRef } = await accountAtBank(test, partner)
  const path = `/wallets/${walletRef}/credit`
  return (await test.bank.control<{ deposit_id: string }>('POST', path, { source: 'onchain', amount })).deposit_id
}

const waiting = async (feed = 'chain_deposits') => {
  const { feeds } = (await kestrel('bank', 'feeds')) as { feeds: { feed: string; rows_waiting: number }[] }
  return feeds.find((each) => each.feed === feed)?.rows_waiting
}

/** Makes every write to the table fail until the returned function is called. */
async function refusing(table: string, operation: 'insert' | 'update'): Promise<() => Promise<unknown>> {
  await sql(
    test,
    `create or replace function refuse_for_test() returns trigger language plpgsql as
       $$ begin raise exception 'refused for a test'; end $$`,
  )
  await sql(
    test,
    `create trigger refuse_for_test before ${operation} on ${table} for each row execute function refuse_for_test()`,
  )
  return () => sql(test, `drop trigger refuse_for_test on ${table}`)
}

/** Raises the alarm, and does what the page says. */
const PROCEDURES: Readonly<Record<AlarmName, () => Promise<void>>> = {
  'the bank has a transfer that we do not': async () => {
    const ref = await pastUs('0190a000-0000-7000-8000-000000000001')
    await sweep()
    const { breaks } = (await kestrel('reconcile')) as { breaks: { check: string; about: string }[] }
    expect(breaks.map(({ check, about }) => [check, about])).toEqual(
      expect.arrayContaining([
        ['transfer_unknown_here', ref],
        ['wallet_differs', expect.any(String)],
      ]),
    )
    const moved = ['wallet', 'debit', ...onWallet(), '--usdc', '32.07', '--reference', `transfer:${ref}`]
    expect(await kestrel(...moved)).toMatchObject({ repeated: false })
    expect(await kestrel(...moved)).toMatchObject({ repeated: true })
    await booksAgree()
  },

  'the bank has a transfer for a payout that was given up': async () => {
    await aPayout()
    await fault('429')
    expect((await createPayout(test, partner)).statusCode).toBe(502)
    const [row] = await sql<{ id: string; key: string }>(
      test,
      `select id, idempotency_key as key from payouts where send_state = 'not_sent'`,
    )
    await pastUs(row!.id)
    await sweep()
    expect(await show(row!.id)).toMatchObject({
      partner: partner.slug,
      inside: { send_state: 'not_sent', seen_by_partner: false },
      money: { in: 'available' },
    })
    await kestrel('wallet', 'debit', ...onWallet(), '--usdc', '32.07', '--reference', `payout:${row!.id}`)
    await booksAgree()
    const repeated = await createPayout(test, partner, {}, { 'idempotency-key': row!.key })
    expect([repeated.statusCode, repeated.json().error.code]).toEqual([422, 'idempotency_key_reused'])
    await booksAgree()
    // A second one is told of too, and needs an answer of its own.
    const [first, second] = [await transferOf(row!.id), '0190a000-0000-7000-8000-000000000003']
    lying.lieAbout('/transfers', (rows) => [
      ...rows,
      ...rows.filter(({ id }) => id === first).map((each) => ({ ...each, id: second })),
    ])
    await adjust(-SENT)
    await sweep()
    const told = test.alarms
      .filter(({ about }) => about['payoutId'] === row!.id)
      .map(({ about }) => about['transferRef'])
    expect(told).toEqual([first, second])
    const found = (await reconcileBank(test.deps, 'sandbox')).map(({ check }) => check)
    expect(found).toEqual(expect.arrayContaining(['transfer_after_giving_up', 'wallet_differs']))
    await kestrel('wallet', 'debit', ...onWallet(), '--usdc', '32.07', '--reference', `transfer:${second}`)
    await booksAgree()
    lying.lieAbout('/transfers', null)
  },

  'the bank could not refund a payout': async () => {
    for (const isShown of [true, false]) {
      const before = await balanceOf(test, partner)
      const id = await aPayout()
      const ref = await transferOf(id)
      for (const name of ['settle', 'return', 'refund']) await step(ref, name)
      const lie = (rows: Record<string, unknown>[]) =>
        rows.map((row) => (row['id'] === ref ? { ...row, state: 'refund_failed' } : row))
      lying.lieAbout('/transfers', lie)
      if (!isShown) lying.lieAbout(`/transfers/${ref}`, lie)
      await sweep()
      const due = { status: 'returned', money: { in: 'in_transit', refund: 'due' } }
      expect(await show(id)).toMatchObject(due)
      const done = { status: 'returned', money: { in: 'available', refund: 'done' } }
      if (isShown) expect(await kestrel('payout', 'refresh', id)).toMatchObject(done)
      else expect(await kestrel('payout', 'resolve', id, '--returned', ...REASON)).toMatchObject(done)
      expect(await balanceOf(test, partner)).toBe(before)
      lying.lieAbout('/transfers', null)
      lying.lieAbout(`/transfers/${ref}`, null)
    }
    await booksAgree()
  },

  'a payout is without an answer for longer than the bank remembers': async () => {
    const id = await inDoubt('reset_before')
    await followPayouts(test.deps)
    expect(await show(id)).toMatchObject({ status: 'pending', money: { in: 'held' }, bank: { transfer: null } })
    expect(await kestrel('payout', 'release', id, ...REASON)).toMatchObject({
      status: 'failed',
      failure_reason: 'The bank never had this payment. Nothing was charged and the money is back in the wallet.',
      money: { in: 'available', refund: 'done' },
    })
    const found = await inDoubt('reset_after')
    const ref = await transferOf(found)
    expect(await kestrel('payout', 'resolve', found, '--transfer', ref, ...REASON)).toMatchObject({
      status: 'processing',
      money: { in: 'in_transit' },
      bank: { transfer: ref },
    })
    await booksAgree()
  },

  'the bank took another amount than we reserved': async () => {
    const id = await aPayout()
    await put(await transferOf(id), 'amount_micro = amount_micro + 5000000, exchange_fee_micro = 0')
    await adjust(-5_000_000n)
    await sweep()
    expect(await show(id)).toMatchObject({
      wallet_sends_usdc: '32.07',
      money: { in: 'in_transit', bank_took_usdc: '37.07' },
    })
    await booksAgree()
    await kestrel('wallet', 'credit', ...onWallet(), '--usdc', '5.00', '--reference', `difference:${id}`)
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    await booksAgree()
  },

  'the bank leaves over of a payout what cannot be': async () => {
    const id = await aPayout()
    const ref = await transferOf(id)
    await step(ref, 'settle')
    lieInReceipt(ref, { developer_exchange_fee: { amount: '99.00', currency: 'usdc' } })
    await sweep()
    expect(await show(id)).toMatchObject({ status: 'completed', money: { left_over_usdc: null } })
    expect((await reconcileBank(test.deps, 'sandbox')).map(({ check }) => check)).toContain('surplus_differs')
    lying.tellTheTruth()
    await rewind('transfers')
    await sweep()
    await booksAgree()
  },

  'the bank asks for a network fee that cannot be': async () => {
    const id = await aPayout()
    const ref = await transferOf(id)
    await step(ref, 'settle')
    lieInReceipt(ref, { gas_fee: '99.00' })
    await sweep()
    expect(await show(id)).toMatchObject({ status: 'completed' })
    lying.tellTheTruth()
    await booksAgree()
  },

  'the bank pays another recipient than we asked for': async () => {
    lying.lieAbout('POST /transfers', ([row]) => [{ ...row, destination: { external_account_id: 'another' } }])
    const id = await aPayout()
    lying.lieAbout('POST /transfers', null)
    expect(await show(id)).toMatchObject({ status: 'processing' })
  },

  'the bank pays another amount than we asked for': async () => {
    const id = await aPayout()
    const ref = await transferOf(id)
    await put(ref, 'destination_pence = destination_pence - 100')
    await sweep()
    expect(await kestrel('reconcile')).toMatchObject({ breaks: [{ check: 'received_amount_differs', about: id }] })
    await put(ref, 'destination_pence = destination_pence + 100')
    expect(await kestrel('reconcile')).toMatchObject({ breaks: [] })
  },

  'the bank has another transfer under a payout’s reference': async () => {
    const id = await aPayout()
    const [ref, second] = [await transferOf(id), '0190a000-0000-7000-8000-000000000002']
    lying.lieAbout('/transfers', (rows) => {
      const own = rows.filter((row) => row['id'] === ref)
      return [...rows, ...own.map((row) => ({ ...row, id: second, state: 'payment_processed' }))]
    })
    await adjust(-SENT)
    await sweep()
    expect(await show(id)).toMatchObject({ status: 'processing', bank: { transfer: ref } })
    const found = (await reconcileBank(test.deps, 'sandbox')).map(({ check }) => check)
    expect(found).toEqual(expect.arrayContaining(['transfer_twice_at_bank', 'wallet_differs']))
    await kestrel('wallet', 'debit', ...onWallet(), '--usdc', '32.07', '--reference', `transfer:${second}`)
    await booksAgree()
    lying.lieAbout('/transfers', null)
  },

  'the bank gives a payout’s transfer another reference': async () => {
    const [id, other] = [await aPayout(), await aPayout()]
    const ref = await transferOf(id)
    for (const each of [ref, await transferOf(other)]) await step(each, 'submit')
    await sweep()
    await step(ref, 'settle')
    const lie: Parameters<LyingBank['lieAbout']>[1] = (rows) =>
      rows.map((row) => (row['id'] === ref ? { ...row, client_reference_id: other } : row))
    for (const path of ['/transfers', `/transfers/${ref}`]) lying.lieAbout(path, lie)
    await sweep()
    for (const each of [id, other]) expect(await show(each)).toMatchObject({ status: 'processing' })
    expect((await reconcileBank(test.deps, 'sandbox')).map(({ check }) => check)).toContain(
      'transfer_of_another_payout',
    )
    await expect(kestrel('payout', 'resolve', id, '--failed', ...REASON)).rejects.toThrow(/so it is not back/)
    const paid = { status: 'completed', money: { in: 'paid_out' } }
    expect(await kestrel('payout', 'resolve', id, '--completed', ...REASON)).toMatchObject(paid)
    for (const path of ['/transfers', `/transfers/${ref}`]) lying.lieAbout(path, null)
    await sweep()
    await booksAgree()
  },

  'the bank gives a reason that we do not know': async () => {
    const ids = [await aPayout(), await aPayout()]
    const refs = [await transferOf(ids[0]!), await transferOf(ids[1]!)]
    for (const ref of refs) await step(ref, 'settle')
    await sweep()
    for (const ref of refs) {
      await test.bank.control('POST', `/transfers/${ref}/return`, { reason: 'Sent back by their bank (ZZ99)' })
    }
    await sweep()
    for (const ref of refs) await step(ref, 'refund')
    await sweep()
    await sweep()
    for (const id of ids) {
      expect(await show(id)).toMatchObject({ status: 'returned', bank: { reason: 'Sent back by their bank (ZZ99)' } })
    }
    const { alarms } = (await kestrel('alarms', 'list')) as { alarms: { id: string; alarm: string }[] }
    const [open, ...more] = alarms.filter(({ alarm }) => alarm === 'the bank gives a reason that we do not know')
    expect(more).toEqual([])
    expect(open).toMatchObject({ about: { environment: 'sandbox', code: 'ZZ99' }, count: 2 })
    const { unknownReasons } = await readWatch(test.deps)
    expect(unknownReasons).toEqual([{ environment: 'sandbox', code: 'ZZ99', count: 2n }])
    await kestrel('alarms', 'close', open!.id)
    expect((await readWatch(test.deps)).unknownReasons).toEqual([])
    await booksAgree()
  },

  'the bank has a state that we do not know': async () => {
    const id = await aPayout()
    const ref = await transferOf(id)
    await put(ref, `state = 'quantum'`)
    await sweep()
    await test.deps.alarms.settled()
    expect(await show(id)).toMatchObject({
      status: 'processing',
      bank: { state: 'quantum' },
      alarms: [{ alarm: 'the bank has a state that we do not know', closed_at: null }],
    })
    await expect(kestrel('payout', 'resolve', id, '--failed', ...REASON)).rejects.toThrow(/so it is not back/)
    expect(await kestrel('payout', 'resolve', id, '--completed', ...REASON)).toMatchObject({
      status: 'completed',
      money: { in: 'paid_out' },
    })
    await put(ref, `state = 'payment_processed'`)
    await sweep()
    await booksAgree()
  },

  'the bank contradicts what it said of a payout': async () => {
    const id = await aPayout()
    const ref = await transferOf(id)
    for (const name of ['settle', 'return', 'refund']) await step(ref, name)
    await sweep()
    await put(ref, `state = 'payment_processed'`)
    await adjust(-SENT)
    await sweep()
    expect(await show(id)).toMatchObject({ status: 'returned', money: { in: 'available', refund: 'done' } })
    await kestrel('wallet', 'debit', ...onWallet(), '--usdc', '32.07', '--reference', `payout:${id}`)
    await booksAgree()
    // While the refund is due nothing was given back: the payout itself is put right.
    const due = await aPayout()
    const dueRef = await transferOf(due)
    for (const name of ['settle', 'return']) {
      await step(dueRef, name)
      await sweep()
    }
    await put(dueRef, `state = 'payment_processed'`)
    await sweep()
    expect(await show(due)).toMatchObject({ status: 'returned', money: { in: 'paid_out', refund: 'due' } })
    const word = ['payout', 'resolve', due, '--completed', ...REASON]
    const paid = { status: 'completed', money: { in: 'paid_out', refund: 'none' } }
    expect(await kestrel(...word)).toMatchObject(paid)
    expect(await kestrel(...word)).toMatchObject(paid)
    await booksAgree()
    // It comes back after all, and needs no hand.
    await put(dueRef, `state = 'refunded', refund_reference = 'r', return_reason = 'Closed (00000002)'`)
    await adjust(SENT)
    await sweep()
    expect(await show(due)).toMatchObject({ status: 'returned', money: { in: 'available', refund: 'done' } })
    await booksAgree()
  },

  'the bank’s wallet does not hold what our books say': async () => {
    await adjust(-FLOAT)
    expect((await createPayout(test, partner)).statusCode).toBe(502)
    expect(await kestrel('reconcile')).toMatchObject({ breaks: [{ check: 'wallet_differs' }] })
    await kestrel('wallet', 'debit', ...onWallet(), '--usdc', '10000.00', '--reference', 'ticket-19')
    await booksAgree()
  },

  'the bank refuses a partner’s payouts': async () => {
    await createPayout(test, partner)
    const { holderRef } = await accountAtBank(test, partner)
    const become = (status: string) =>
      test.bank.query('update customers set status = $1 where id = $2', [status, holderRef])
    await become('under_review')
    const key = { 'idempotency-key': 'after-the-endorsement' }
    const refused = await createPayout(test, partner, {}, key)
    expect([refused.statusCode, refused.json().error.code]).toEqual([502, 'payout_not_created'])
    expect(refused.json().error.message).not.toContain('sort code')
    await become('active')
    expect((await createPayout(test, partner, {}, key)).statusCode).toBe(201)
    await booksAgree()
  },

  'a payout waits for funds at the bank': async () => {
    const id = await aPayout()
    const ref = await transferOf(id)
    await longAgo(id, 'created_at', '10 minutes')
    await isDue(id)
    await followPayouts(test.deps)
    await put(ref, `state = 'payment_processed'`)
    expect(await kestrel('payout', 'refresh', id)).toMatchObject({ status: 'completed' })
    await booksAgree()
  },

  'a payout lacks money at the bank': async () => {
    const id = await aPayout()
    const ref = await transferOf(id)
    await test.bank.control('POST', '/rate', { rate: '0.70' })
    await step(ref, 'submit')
    await test.bank.control('POST', '/rate', { rate: '0.79' })
    await sweep()
    await noteExcess(10_000_000n)
    expect(await kestrel('payout', 'top-up', id)).toMatchObject({
      bank: { state: 'payment_submitted' },
      money: { topped_up_usdc: '3.65', bank_took_usdc: null },
    })
    await put(ref, 'due_at = null')
    await sweep()
    await booksAgree()
    const other = await aPayout()
    await test.bank.control('POST', '/rate', { rate: '0.70' })
    await step(await transferOf(other), 'submit')
    await test.bank.control('POST', '/rate', { rate: '0.79' })
    await sweep()
    await step(await transferOf(other), 'cancel')
    expect(await kestrel('payout', 'refresh', other)).toMatchObject({ status: 'cancelled' })
    await booksAgree()
  },

  'the bank gave back another amount than it took': async () => {
    const id = await aPayout()
    const ref = await transferOf(id)
    for (const name of ['submit', 'undeliver']) await step(ref, name)
    await sweep()
    await test.bank.control('POST', `/transfers/${ref}/refund`, { amount: '31.00' })
    await sweep()
    await settled(id)
    await checkRefunds(test.deps, 'sandbox')
    expect(await show(id)).toMatchObject({ status: 'failed', money: { in: 'available', refund: 'done' } })
    await booksAgree()
    await adjust(SENT - 31_000_000n)
    await adjustExcess(31_000_000n - SENT)
    await kestrel('payout', 'made-good', id, ...REASON)
    await booksAgree()
    expect(await balanceOf(test, partner)).toBe(FLOAT)
  },

  'a refund is not in the bank’s wallet': async () => {
    const id = await aPayout()
    const ref = await transferOf(id)
    for (const name of ['submit', 'undeliver']) await step(ref, name)
    await sweep()
    await test.bank.control('POST', `/transfers/${ref}/refund`, { amount: '0' })
    await sweep()
    await settled(id)
    await checkRefunds(test.deps, 'sandbox')
    expect(await kestrel('reconcile')).toMatchObject({ breaks: [{ check: 'wallet_differs' }] })
    await kestrel('payout', 'came-back', id, '--usdc', '0.00', ...REASON)
    await booksAgree()
  },

  'a payout is in review at the bank for more than a day': async () => {
    const id = await aPayout()
    const ref = await transferOf(id)
    await longAgo(id, 'created_at', '2 days')
    await put(ref, `state = 'in_review'`)
    await sweep()
    await put(ref, `state = 'payment_processed'`)
    expect(await kestrel('payout', 'refresh', id)).toMatchObject({ status: 'completed' })
    await booksAgree()
  },

  'a refund is not there after a day': async () => {
    const id = await aPayout()
    const ref = await transferOf(id)
    await step(ref, 'undeliver')
    await sweep()
    await longAgo(id, 'ended_at', '2 days')
    await followPayouts(test.deps)
    const word = ['payout', 'resolve', id, '--failed', ...REASON]
    await expect(kestrel(...word)).rejects.toThrow(/that is recorded, and no more/)
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    await adjust(SENT)
    expect(await kestrel(...word)).toMatchObject({ status: 'failed', money: { in: 'available', refund: 'done' } })
    expect(await balanceOf(test, partner)).toBe(FLOAT)
    await put(ref, `state = 'refunded', refund_reference = 'r'`)
    await sweep()
    await booksAgree()
  },

  'a transfer cannot be read': async () => {
    const id = await aPayout()
    const ref = await transferOf(id)
    await step(ref, 'settle')
    lying.lieAbout('/transfers', (rows) =>
      rows.map((row) => (row['id'] === ref ? { ...row, destination: { amount: 'a lot' } } : row)),
    )
    await sweep()
    expect(await waiting('transfers')).toBe(1)
    lying.lieAbout('/transfers', null)
    expect(await kestrel('payout', 'refresh', id)).toMatchObject({ status: 'completed' })
    await booksAgree()
  },

  'a deposit is for nobody we know': async () => {
    const ref = await arrives('5.00')
    lying.lieAbout('/liquidation_addresses/drains', (rows) =>
      rows.map((row) => (row['id'] === ref ? { ...row, customer_id: 'somebody' } : row)),
    )
    const before = (await waiting()) ?? 0
    await sweep()
    expect(await waiting()).toBe(before + 1)
    // Its owner becomes known, and it is credited by itself.
    lying.lieAbout('/liquidation_addresses/drains', null)
    await sweep()
    expect([await waiting(), await balanceOf(test, partner)]).toEqual([before, FLOAT + 5_000_000n])
    await booksAgree()
  },

  'a deposit at the bank cannot be read': async () => {
    const ref = await arrives('6.00')
    lying.lieAbout('/liquidation_addresses/drains', (rows) =>
      rows.map((row) => (row['id'] === ref ? { ...row, amount: 'six' } : row)),
    )
    await sweep()
    expect(await waiting()).toBe(1)
    lying.lieAbout('/liquidation_addresses/drains', null)
    await rewind('chain_deposits')
    await sweep()
    expect([await waiting(), await balanceOf(test, partner)]).toEqual([0, FLOAT + 6_000_000n])
    await booksAgree()
  },

  'a deposit could not be credited': async () => {
    await arrives('7.00')
    const callOff = await refusing('deposits', 'insert')
    await sweep()
    expect(await balanceOf(test, partner)).toBe(FLOAT)
    await callOff()
    await rewind('chain_deposits')
    await sweep()
    expect(await balanceOf(test, partner)).toBe(FLOAT + 7_000_000n)
  },

  'a transfer’s news could not be written down': async () => {
    const id = await aPayout()
    await step(await transferOf(id), 'settle')
    const callOff = await refusing('payouts', 'update')
    await sweepTransfers(test.deps, 'sandbox')
    expect(await show(id)).toMatchObject({ status: 'processing' })
    await callOff()
    expect(await kestrel('payout', 'refresh', id)).toMatchObject({ status: 'completed', money: { in: 'paid_out' } })
  },

  'the bank has named something that it does not show': async () => {
    await sql(
      test,
      `insert into bank_events (environment, event_id, category, object_ref, received_at)
       values ('sandbox', 'evt_unseen', 'transfer', '0190a000-0000-7000-8000-000000000009', now() - interval '2 days')`,
    )
    await handleBankEvents(test.deps)
    await rewind('transfers')
    expect(await sweepTransfers(test.deps, 'sandbox')).toBeGreaterThan(0)
  },

  'a message of the bank cannot be read': async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    await sql(
      test,
      `insert into bank_webhooks (environment, webhook_ref, url, public_key, created_at)
       values ('sandbox', 'wep_1', 'https://payouts.example/v1/bank/webhooks/sandbox', $1, now())`,
      [publicKey.export({ type: 'spki', format: 'pem' })],
    )
    const id = await aPayout()
    await step(await transferOf(id), 'settle')
    const body = Buffer.from(JSON.stringify({ event_id: '\u0000', event_category: 'transfer' }))
    const t = test.clock.now().getTime()
    const digest = createHash('sha256').update(`${t}.`).update(body).digest()
    const headers = { 'x-webhook-signature': `t=${t},v0=${sign('sha256', digest, privateKey).toString('base64')}` }
    await expect(receiveBankEvent(test.deps, 'sandbox', { headers, body })).rejects.toThrow('cannot be kept')
    await sweep()
    expect(await waiting('transfers')).toBe(0)
    expect(await show(id)).toMatchObject({ status: 'completed' })
    await sql(test, 'delete from bank_webhooks')
  },

  'reconciliation found breaks': async () => {
    const { walletRef } = await accountAtBank(test, partner)
    await adjust(-1n)
    await reconcile(test.deps)
    expect(await kestrel('reconcile')).toMatchObject({ breaks: [{ check: 'wallet_differs', about: walletRef }] })
    await kestrel('wallet', 'debit', ...onWallet(), '--usdc', '0.000001', '--reference', 'bank-fee-17')
    expect(await kestrel('reconcile')).toMatchObject({ breaks: [] })
  },

  'a payout could not be asked about': async () => {
    const id = await inDoubt('reset_before', '1 hour')
    const [row] = await sql<{ sealed: Buffer }>(test, 'select recipient_sealed as sealed from payouts where id = $1', [
      id,
    ])
    await putSealed(id, Buffer.from('00', 'hex'))
    await isDue(id)
    await followPayouts(test.deps)
    expect(await show(id)).toMatchObject({ status: 'pending', money: { in: 'held' } })
    await putSealed(id, row!.sealed)
    expect(await kestrel('payout', 'refresh', id)).toMatchObject({ status: 'processing' })
    await booksAgree()
  },

  'a payout’s recipient cannot be opened': async () => {
    const id = await aPayout()
    const [row] = await sql<{ sealed: Buffer }>(test, 'select recipient_sealed as sealed from payouts where id = $1', [
      id,
    ])
    await sql(test, `insert into payout_recipients_due values ($1, 'sandbox', $2)`, [partner.id, id])
    await putSealed(id, Buffer.from('00', 'hex'))
    const mark = createOldPayoutMarker(test.deps)
    while (await mark()) continue
    await putSealed(id, row!.sealed)
    while (await mark()) continue
    expect(await sql(test, 'select 1 from payout_recipients_due')).toEqual([])
  },

  'a payout could not be moved to the newest keys': async () => {
    const id = await aPayout()
    const [row] = await sql<{ sealed: Buffer }>(test, 'select recipient_sealed as sealed from payouts where id = $1', [
      id,
    ])
    await putSealed(id, Buffer.from('00', 'hex'))
    await lookThroughAll()
    await putSealed(id, row!.sealed)
    const told = test.alarms.length
    await lookThroughAll()
    expect(test.alarms.slice(told)).toEqual([])
    expect(await kestrel('secrets', 'status')).toMatchObject({ is_moving: false })
  },

  'a webhook secret could not be moved to the newest key': async () => {
    const scope = { partnerId: partner.id, environment: 'sandbox' } as const
    await createEndpoint(test.deps, scope, { url: 'https://8.8.8.8/', description: null, events: ['*'], by: 'finance' })
    await sql(test, `update webhook_endpoints set secret_sealed = '\\x00'`)
    await lookThroughAll()
    await sql(test, 'delete from webhook_endpoints')
    const told = test.alarms.length
    await lookThroughAll()
    expect(test.alarms.slice(told)).toEqual([])
  },

  'a mail could not be moved to the newest key': async () => {
    const mail = { to: 'finance@example.com', subject: 'An invoice', text: '.', html: '.' }
    await test.deps.db.inTransaction(async (tx) =>
      queueMail(tx, test.deps, { kind: 'invoice', mail, usefulUntil: null }),
    )
    await sql(test, `update mails set sealed = '\\x00'`)
    await lookThroughAll()
    await sql(test, 'delete from mails')
    const told = test.alarms.length
    await lookThroughAll()
    expect(test.alarms.slice(told)).toEqual([])
  },

  'a deposit was left out': async () => {
    const [first, second] = [await arrives('5.00'), await arrives('6.00')]
    const hash = 'a-transaction-that-pays-twice-over'
    const inOne = (row: Record<string, unknown>) =>
      [first, second].includes(String(row['id'])) ? { ...row, deposit_tx_hash: hash } : row
    lying.lieAbout('/liquidation_addresses/drains', (rows) => rows.map(inOne))
    await sweep()
    const [{ amount }] = (await sql<{ amount: bigint }>(
      test,
      'select amount_micro as amount from deposits where partner_id = $1 and deposit_ref = any($2)',
      [partner.id, [first, second]],
    )) as [{ amount: bigint }]
    const [rest, ref] = amount === 5_000_000n ? [6_000_000n, second] : [5_000_000n, first]
    expect(await kestrel('reconcile')).toMatchObject({ breaks: [{ check: 'wallet_differs' }] })
    // In the sandbox the bank is given it too.
    await adjust(-rest)
    const usdc = formatUsdcExact(microUsdc(rest))
    await kestrel('wallet', 'credit', ...onWallet(), '--usdc', usdc, '--reference', `deposit:${ref}`)
    expect(await balanceOf(test, partner)).toBe(FLOAT + 11_000_000n)
    await booksAgree()
    lying.lieAbout('/liquidation_addresses/drains', null)
  },

  'the bank has changed a deposit that was credited': async () => {
    const ref = await arrives('5.00')
    await sweep()
    await adjust(-1_000_000n)
    const shrunk = (row: Record<string, unknown>) => (row['id'] === ref ? { ...row, amount: '4.00' } : row)
    lying.lieAbout('/liquidation_addresses/drains', (rows) => rows.map(shrunk))
    await sweep()
    expect(await kestrel('reconcile')).toMatchObject({ breaks: [{ check: 'wallet_differs' }] })
    await kestrel('wallet', 'debit', ...onWallet(), '--usdc', '1.00', '--reference', `deposit:${ref}`)
    await booksAgree()
    lying.lieAbout('/liquidation_addresses/drains', null)
  },

  'a wallet cannot be opened at the bank': async () => {
    const { slug } = await test.anUnconnectedPartner()
    await test.bank.control('POST', '/faults', { route: 'POST /v0/customers', mode: '500_before', times: 8 })
    for (let tries = 1; tries <= 8; tries++) {
      await expect(connectWallets(test.deps, 'sandbox')).rejects.toThrow(/^The bank/)
      // As if the time had passed: the commands have a clock of their own.
      await sql(test, 'update wallets set connect_at = null')
    }
    const { checks } = (await kestrel('doctor')) as { checks: { name: string; detail: string }[] }
    const said = checks.filter(({ name }) => name === 'Connecting').map(({ detail }) => detail)
    expect(said).toEqual([expect.stringMatching(`sandbox wallet of ${slug} is not at the bank: The bank answered 500`)])
    expect(await kestrel('partner', 'show', slug)).toMatchObject({ partner: { slug } })
    expect(await connectWallets(test.deps, 'sandbox')).toBe(1)
    const after = (await kestrel('doctor')) as { checks: { name: string; status: string }[] }
    expect(after.checks).toContainEqual(expect.objectContaining({ name: 'Connecting', status: 'ok' }))
  },

  'the database may lose what it acknowledges': async () => {
    // The tests' own database need not survive a power cut; what the service asks for in its sessions holds in there too.
    await tellOfDurability(test.deps)
    const told = () => test.alarms.filter(({ what }) => what === 'the database may lose what it acknowledges')
    expect(told()).toEqual([])
    await tellOfDurability({ ...test.deps, banks: { ...test.deps.banks, live: test.deps.banks.sandbox } })
    expect(told().map(({ about }) => about)).toEqual([{ why: 'fsync' }, { why: 'full_page_writes' }])
    const { checks } = (await kestrel('doctor')) as { checks: { name: string; detail: string }[] }
    const said = checks.find(({ name }) => name === 'Durability')?.detail
    expect(said).toBe('fsync, full_page_writes are not on: a power cut loses acknowledged payouts')
    expect(await kestrel('reconcile')).toMatchObject({ breaks: [] })
  },

  'a closed business has money in its live wallet': async () => {
    const scope = { partnerId: partner.id, environment: 'live' } as const
    const onLive = ['--partner', partner.slug, '--environment', 'live', '--usdc', '5.00', '--reference', 'paid-back-17']
    await kestrel('partner', 'close', partner.slug)
    await creditWallet(test.deps, scope, { amount: 5_000_000n as MicroUsdc, reason: 'arrived late' })
    await tellOfClosedWallets(test.deps)
    await tellOfClosedWallets(test.deps)
    const about = { partnerId: partner.id, slug: partner.slug, usdc: '5.00' }
    expect(test.alarms.filter((each) => each.about['partnerId'] === partner.id)).toMatchObject([{ about }])
    const shown = { wallets: { live: { available_usdc: '5.00' } } }
    expect(await kestrel('partner', 'show', partner.slug)).toMatchObject(shown)
    await closeAlarm(partner.id)
    await tellOfClosedWallets(test.deps)
    await kestrel('wallet', 'debit', ...onLive, ...REASON)
    await closeAlarm(partner.id)
    const told = test.alarms.length
    await tellOfClosedWallets(test.deps)
    expect(test.alarms.slice(told)).toEqual([])
  },

  'an invoice could not be mailed': async () => {
    const last = monthBefore(londonMonth(test.clock.now()))
    await sql(test, `update plans set valid_from = $1`, [`${last}-01T00:00:00Z`])
    await sql(test, `update partners set verified_at = $2, billing_email = $3 where id = $1`, [
      partner.id,
      `${last}-10T12:00:00Z`,
      `${partner.slug}@thistle.test`,
    ])
    await verifyPartner(test.deps, partner.slug)
    const issued = await issueInvoices(test.deps, last)
    const { id, number } = issued.find(({ slug }) => slug === partner.slug)!
    const logo = (bytes: Buffer | null) =>
      sql(test, `update partners set remade_logo = $2, remade_logo_type = $3, remade_logo_hash = $4 where id = $1`, [
        partner.id,
        bytes,
        bytes && 'image/png',
        bytes && 'a'.repeat(64),
      ])
    await logo(BROKEN_PNG)
    await mailInvoices(test.deps)
    expect(test.alarms.at(-1)).toMatchObject({ about: { invoiceId: id } })
    await expect(mailInvoiceNow(test.deps, id)).rejects.toThrow('A thread ended')
    await logo(null)
    // Two operators at once, one by the number and one by the id: one mail.
    const both = await Promise.all([id, number].map((named) => mailInvoiceNow(test.deps, named)))
    expect(both.map(({ outcome }) => outcome).toSorted()).toEqual(['written', 'written_before'])
    expect(await kestrel('invoice', 'mail', number)).toMatchObject({
      invoice: { id, number },
      outcome: 'written_before',
    })
    const mails = (await readMailbox(test.deps)).filter(({ to }) => to === `${partner.slug}@thistle.test`)
    expect(mails.filter(({ kind }) => kind === 'invoice')).toHaveLength(1)
    expect(await kestrel('invoice', 'audit')).toMatchObject({ breaks: [] })
  },

  'a mail was given up': async () => {
    const { mailer } = test.deps
    const send = () => Promise.reject(new MailRefused('550 no such mailbox'))
    Object.assign(test.deps, { mailer: { send, close: () => undefined } })
    const mail = { to: 'finance@example.com', subject: 'An invoice', text: '.', html: '.' }
    await test.deps.db.inTransaction(async (tx) =>
      queueMail(tx, test.deps, { kind: 'invoice', mail, usefulUntil: null }),
    )
    await deliverMails(test.deps)
    Object.assign(test.deps, { mailer })
    const { checks } = (await kestrel('doctor')) as { checks: { name: string }[] }
    expect(checks.map((each) => each.name)).toContain('Database')
  },

  'the rail threw': async () => {
    const real = test.deps.rails.provider_sandbox
    const submit = () => Promise.reject(new Error('a bug'))
    Object.assign(test.deps.rails, { provider_sandbox: { ...real, submit } })
    const id = await aPayout()
    Object.assign(test.deps.rails, { provider_sandbox: real })
    expect(await show(id)).toMatchObject({ status: 'pending', inside: { send_state: 'unknown' } })
    expect(await kestrel('payout', 'refresh', id)).toMatchObject({ status: 'processing' })
  },
}

describe('the runbook', () => {
  const written = [...ALARMS.matchAll(/^\*\*(.+?)\.\*\*/gm)].map((match) => match[1]!)
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const NAMED = /(?:onAlarm\(\s*|\badd\(|\bwhat: |\bconst what = |\bconst \w+: AlarmName = )'([a-z][^']+)'/g
  const raised = files
    .filter((name) => !name.endsWith('.test.ts'))
    .flatMap((name) => [...readFileSync(join(SOURCE, name), 'utf8').matchAll(NAMED)].map((match) => match[1]!))

  it('has a paragraph for every alarm that the program can raise, and a procedure here for each', () => {
    expect([...new Set(raised)].filter((alarm) => !written.includes(alarm))).toEqual([])
    expect(written.filter((alarm) => !raised.includes(alarm))).toEqual([])
    expect(Object.keys(PROCEDURES).toSorted()).toEqual(written.toSorted())
    expect(Object.keys(ALARM_CATALOGUE)).toEqual(written)
  })

  it('has no place for an alarm that is not in the catalogue', () => {
    // @ts-expect-error: nobody would know what to do about it.
    const raise = () => test.deps.onAlarm('something is odd', {})
    expect(raise).toBeTypeOf('function')
  })

  it('names only commands that there are', async () => {
    const program = await createWholeProgram()
    const named = [...PAGE.matchAll(/`(?:npx )?kestrel ([a-z]+)(?: ([a-z-]+))?/g)]
    expect(named.length).toBeGreaterThan(20)
    const unknown = named.filter(([, first, second]) => {
      const command = program.commands.find((each) => each.name() === first)
      const isGroup = (command?.commands.length ?? 0) > 0 && second !== undefined
      return command === undefined || (isGroup && !command.commands.some((each) => each.name() === second))
    })
    expect(unknown.map((match) => match[0])).toEqual([])
  })

  it('gives every command options that it has', async () => {
    const program = await createWholeProgram()
    const commands = Object.values(ALARM_CATALOGUE).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))
    expect(commands.length).toBeGreaterThan(25)
    const unknown = commands.filter((line) => {
      const [, first, second] = line.split(' ')
      const group = program.commands.find((each) => each.name() === first)
      const command = group?.commands.find((each) => each.name() === second) ?? group
      const options = new Set(command?.options.map(({ long }) => long))
      return command === undefined || (line.match(/--[a-z]+/g) ?? []).some((option) => !options.has(option))
    })
    expect(unknown).toEqual([])
  })

  it.each(Object.entries(PROCEDURES))(
    '%s: is raised, and what the page says is carried out',
    async (alarm, carryOut) => {
      const before = test.alarms.length
      await carryOut()
      expect(test.alarms.slice(before).map(({ what }) => what)).toContain(alarm)
    },
  )
})

describe('kestrel payout show, in words', () => {
  it('counts as people do', async () => {
    const id = await aPayout()
    const words = async () => payoutInLines(await showPayout(test.deps, id)).join('\n')
    expect(await words()).toMatch(/\n {2}inside: accepted, 1 attempt, 0 checks, next /)
    await isDue(id)
    await followPayouts(test.deps)
    expect(await words()).toContain('1 attempt, 1 check, next')
  })
})

describe('the operator’s hand is stayed', () => {
  it('for a payout that came to its end in the moment between the look and the lease', async () => {
    const id = await inDoubt('reset_before')
    await followPayouts(test.deps)
    const lease = async () => {
      const now = test.clock.now()
      return test.deps.db.inTransaction((tx) =>
        leasePayout(tx, { partnerId: partner.id, environment: 'sandbox' }, { id, token: newId(now), now, until: now }),
      )
    }
    expect(await lease()).toMatchObject({ id, status: 'pending' })
    await kestrel('payout', 'release', id, ...REASON)
    expect(await lease()).toBeNull()
    expect(await show(id)).toMatchObject({ status: 'failed', money: { in: 'available' } })
  })

  const expectUntouched = async (id: string, args: readonly string[], says: RegExp) => {
    const all = async () => ({
      payout: await sql(test, 'select status, send_state, refund_state, provider_ref from payouts where id = $1', [id]),
      entries: await sql(test, 'select id from ledger_entries where partner_id = $1 order by id', [partner.id]),
    })
    const before = await all()
    await expect(kestrel('payout', ...args)).rejects.toThrow(says)
    expect(await all()).toEqual(before)
  }

  describe('from calling something else the refund of a payout', () => {
    /** Undeliverable, and its money not back yet. */
    async function dueBack(): Promise<string> {
      const id = await aPayout()
      await step(await transferOf(id), 'undeliver')
      await sweep()
      expect(await show(id)).toMatchObject({ status: 'failed', money: { refund: 'due' } })
      return id
    }
    const word = (id: string) => ['resolve', id, '--failed', ...REASON]

    it('a deposit of the same amount that nobody has read yet', async () => {
      const id = await dueBack()
      await arrives('32.07')
      await expect(kestrel('payout', ...word(id))).rejects.toThrow(/does not hold the money/)
      expect(await show(id)).toMatchObject({ money: { refund: 'due' } })
      expect(await balanceOf(test, partner)).toBe(FLOAT)
      expect(await sql(test, 'select 1 from deposits where partner_id = $1', [partner.id])).toHaveLength(1)
    })

    it('a deposit of the same amount that cannot be read', async () => {
      const id = await dueBack()
      const ref = await arrives('32.07')
      lying.lieAbout('/liquidation_addresses/drains', (rows) =>
        rows.map((row) => (row['id'] === ref ? { ...row, amount: 'thirty' } : row)),
      )
      await expectUntouched(id, word(id), /deposit .* is not credited yet/)
      lying.lieAbout('/liquidation_addresses/drains', null)
      await rewind('chain_deposits')
      await sweep()
      expect(await balanceOf(test, partner)).toBe(FLOAT)
    })

    it('a second deposit of the same amount in one transaction, which was left out', async () => {
      const id = await dueBack()
      const first = await arrives('5.00')
      await sweep()
      const second = await arrives('32.07')
      await test.bank.query(
        'update drains set deposit_tx_hash = (select deposit_tx_hash from drains where id = $1) where id = $2',
        [first, second],
      )
      await sweep()
      await expectUntouched(id, word(id), new RegExp(`deposit ${second} was left out`))
      expect(await balanceOf(test, partner)).toBe(FLOAT - SENT + 5_000_000n)
      await adjust(-32_070_000n)
    })

    it('another payout’s refund, and money that the bank has not taken yet', async () => {
      const [id, other] = [await dueBack(), await dueBack()]
      await adjust(SENT)
      await expectUntouched(id, word(id), new RegExp(`${other} is under way`))
      await put(await transferOf(other), `state = 'refunded', refund_reference = 'r'`)
      await sweep()
      await expectUntouched(id, word(id), /does not hold the money/)
      const unfunded = await aPayout()
      await put(await transferOf(unfunded), `state = 'awaiting_funds'`)
      await sweep()
      await adjust(SENT)
      await expectUntouched(id, word(id), new RegExp(`${unfunded} is under way`))
      expect(await show(id)).toMatchObject({ money: { refund: 'due' } })
    })

    it('more or less than was sent, and what is gone at the second look', async () => {
      const id = await dueBack()
      await adjust(SENT - 1n)
      await expectUntouched(id, word(id), /holds 32\.069999 USDC more than our books say/)
      await adjust(2n)
      await expectUntouched(id, word(id), /holds 32\.070001 USDC more than our books say/)
      await adjust(-1n)
      const { holderRef, walletRef } = await accountAtBank(test, partner)
      let looks = 0
      lying.lieAbout(`/customers/${holderRef}/wallets/${walletRef}`, (rows) =>
        looks++ === 0 ? rows : rows.map((row) => ({ ...row, balances: [{ currency: 'usdc', balance: '1.00' }] })),
      )
      await expectUntouched(id, word(id), /does not hold the money/)
      lying.lieAbout(`/customers/${holderRef}/wallets/${walletRef}`, null)
      expect(await kestrel('payout', ...word(id))).toMatchObject({ status: 'failed', money: { refund: 'done' } })
      expect(await balanceOf(test, partner)).toBe(FLOAT)
      await put(await transferOf(id), `state = 'refunded', refund_reference = 'r'`)
    })
  })

  it('while the bank may still act on a payout in doubt', async () => {
    const id = await inDoubt('reset_before', '24 hours')
    await expectUntouched(id, ['release', id, ...REASON], /may still act on .* from 20.* on\. Nothing was changed/)
    await expectUntouched(id, ['resolve', id, '--failed', ...REASON], /may still act on/)
    expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
  })

  it('when the bank cannot be asked, or has it after all: then that is what is recorded', async () => {
    const id = await inDoubt('reset_after')
    lying.refuse(({ path }) => (path.startsWith('/transfers') ? 500 : null))
    await expectUntouched(id, ['release', id, ...REASON], /could not be asked, so nothing was changed/)
    await expectUntouched(id, ['resolve', id, '--completed', '--transfer', 'x', ...REASON], /could not be asked/)
    lying.refuse(null)
    // A transfer that cannot be read still exists.
    lying.lieAbout('/transfers', (rows) => rows.map((row) => ({ ...row, destination: { amount: 'a lot' } })))
    await expectUntouched(id, ['release', id, ...REASON], /which makes no sense to us/)
    lying.lieAbout('/transfers', null)
    await expect(kestrel('payout', 'release', id, ...REASON)).rejects.toThrow(/has it after all, as transfer/)
    expect(await show(id)).toMatchObject({ status: 'processing', money: { in: 'in_transit' } })
    expect(await balanceOf(test, partner)).toBe(FLOAT - 2n * SENT)
  })

  it('from a payout that is not in doubt, from another’s transfer, and from what the bank shows otherwise', async () => {
    const [id, other] = [await aPayout(), await aPayout()]
    const [ref, otherRef] = [await transferOf(id), await transferOf(other)]
    await expectUntouched(id, ['release', id, ...REASON], /is processing and not in doubt/)
    await expectUntouched(id, ['resolve', id, '--transfer', otherRef, ...REASON], /has transfer .*, not /)
    await expectUntouched(
      id,
      ['resolve', id, '--completed', ...REASON],
      /The bank shows .* as awaiting_funds: that is recorded/,
    )
    await expectUntouched(id, ['resolve', id, '--failed', '--returned', ...REASON], /Say --transfer, or one of/)
    await expectUntouched(id, ['resolve', id, ...REASON], /Say --transfer, or one of/)
    await expectUntouched(id, ['resolve', id, '--failed', '--reason', ' '], /--reason must say why/)
    const doubtful = await inDoubt('reset_before')
    await expectUntouched(doubtful, ['resolve', doubtful, '--transfer', ref, ...REASON], /is not that of/)
    await expectUntouched(
      doubtful,
      ['resolve', doubtful, '--completed', ...REASON],
      /Give the bank’s name for the transfer/,
    )
    await expectUntouched(doubtful, ['show', 'nonsense'], /./)
    expect(await balanceOf(test, partner)).toBe(FLOAT - 4n * SENT)
  })

  it('from a second ending: two who release at once release once, and a person’s word ends it once', async () => {
    const id = await inDoubt('reset_before')
    const both = await Promise.allSettled([1, 2].map(() => releasePayout(test.deps, id, 'two at once')))
    expect(both.map((each) => each.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await balanceOf(test, partner)).toBe(FLOAT - SENT)
    await handOverAll()
    const lost = await aPayout()
    await test.bank.query(`update transfers set visible_from = 'infinity' where client_reference_id = $1`, [lost])
    await expectUntouched(lost, ['resolve', lost, '--failed', ...REASON], /so it is not back/)
    const word = ['payout', 'resolve', lost, '--completed', ...REASON]
    expect(await kestrel(...word)).toMatchObject({ status: 'completed', money: { in: 'paid_out' } })
    await expect(kestrel(...word)).rejects.toThrow(/is completed and cannot become completed/)
    const done = await sql<{ action: string; detail: string }>(
      test,
      `select action, detail from activity where partner_id = $1 and by = 'operator' and action like 'payout.%' order by at`,
      [partner.id],
    )
    expect(done).toEqual([
      { action: 'payout.release', detail: `${id}: two at once` },
      { action: 'payout.resolve', detail: `${lost} completed: so said the bank, ticket 17` },
    ])
  })

  it('from a mark that would move forward', async () => {
    await sweep()
    const to = ['--environment', 'sandbox', '--feed', 'transfers', '--to', '2999-01-01T00:00:00Z']
    await expect(kestrel('bank', 'rewind', ...to)).rejects.toThrow(/a mark is only moved back\. Nothing was changed/)
  })
})
