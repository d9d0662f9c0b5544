// What the bank's messages name is read back: many at once by the list of what has changed since, one by one where that would
// cost more. Whichever way, each is dealt with, and a list that does not show one is no proof of anything.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { handleBankEvents } from '../../src/domain/banking/feeds/bank-events.ts'
import { type BankApp, startBankApp } from '../support/bank-app.ts'
import { keepMessages } from '../support/bank-message.ts'
import { type TestPartner, createPayout, get, sql } from '../support/fixtures.ts'
import { type LyingBank, startLyingBank } from '../support/lying-bank.ts'

const HOUR_MS = 60 * 60_000

interface Made {
  readonly id: string
  readonly ref: string
}

let test: BankApp
let lying: LyingBank
let partner: TestPartner
beforeAll(async () => {
  test = await startBankApp({
    through: async (bank) => {
      lying = await startLyingBank(bank.provider)
      return lying.provider
    },
  })
  await test.bank.standStill()
  partner = await test.aConnectedPartner()
})
afterAll(async () => {
  await test.close()
  await lying.close()
})

let payouts: readonly Made[]
/** How much of the bank's log is older than the messages. */
let before: number
let changedSince: Date
beforeEach(async () => {
  changedSince = test.clock.now()
  const made = await Promise.all(Array.from({ length: 12 }, () => createPayout(test, partner)))
  const ids = made.map((each) => each.json<{ id: string }>().id)
  payouts = await sql<Made & Record<string, unknown>>(
    test,
    'select id, provider_ref as ref from payouts where id = any($1) order by id',
    [ids],
  )
  if (payouts.length < 12) throw new Error('Twelve payouts were to be made.')
  await Promise.all(payouts.map(({ ref }) => test.bank.control('POST', `/transfers/${ref}/settle`)))
  before = lying.wire.length
})
const tellTheTruth = () => {
  lying.tellTheTruth()
  lying.refuse(null)
}
afterEach(async () => {
  tellTheTruth()
  await sql(test, 'delete from bank_events')
})

let told = 0
const tell = (some: readonly Made[], happenedAt: Date | null = changedSince, receivedAt = test.clock.now()) =>
  keepMessages(
    test.deps,
    some.map(({ ref }) => ({ eventId: `told ${told++}`, objectRef: ref, happenedAt })),
    receivedAt,
  )

/** How often the list was asked for, and how often a transfer by its id. */
function asked() {
  const paths = lying.wire.slice(before).map(({ path }) => path)
  return {
    lists: paths.filter((path) => path === '/transfers').length,
    byId: paths.filter((path) => path.startsWith('/transfers/')).length,
  }
}

const statuses = async () => {
  const all = payouts.map(({ id }) => get(test, partner, `/v1/payouts/${id}`))
  return new Set((await Promise.all(all)).map((answer) => answer.json<{ status: string }>().status))
}
const unhandled = async () => (await sql(test, 'select from bank_events where handled_at is null')).length

async function expectAllCompleted() {
  expect([[...(await statuses())], await unhandled(), test.alarms]).toEqual([['completed'], 0, []])
}

describe('transfers that messages have named', () => {
  it('are found together, from just before the first of them changed', async () => {
    await tell(payouts.slice(0, 6), new Date(changedSince.getTime() + 5_000))
    await tell(payouts.slice(6))
    await handleBankEvents(test.deps)
    await expectAllCompleted()
    expect(asked()).toEqual({ lists: 1, byId: 0 })
    const query = new URLSearchParams(lying.wire[before]!.query)
    expect(query.get('updated_after_ms')).toBe(String(changedSince.getTime() - 200))
  })

  it('are read one by one where they are few', async () => {
    await tell(payouts.slice(0, 9))
    await handleBankEvents(test.deps)
    expect(asked()).toEqual({ lists: 0, byId: 9 })
    await tell(payouts.slice(9))
    await handleBankEvents(test.deps)
    await expectAllCompleted()
  })

  it.each([
    ['do not say when', () => null],
    ['name a time that cannot be', () => new Date(test.clock.now().getTime() + 2 * HOUR_MS)],
    ['were long on their way', () => new Date(test.clock.now().getTime() - 2 * HOUR_MS)],
  ])('are read one by one where the messages %s', async (_, happenedAt) => {
    await tell(payouts, happenedAt())
    await handleBankEvents(test.deps)
    await expectAllCompleted()
    expect(asked()).toEqual({ lists: 0, byId: 12 })
  })

  it('are read one by one when the list does not show them', async () => {
    const hidden = new Set(payouts.slice(0, 4).map(({ ref }) => ref))
    lying.lieAbout('/transfers', (rows) => rows.filter((row) => !hidden.has(row['id'] as string)))
    await tell(payouts)
    await handleBankEvents(test.deps)
    await expectAllCompleted()
    expect(asked()).toEqual({ lists: 1, byId: 4 })
  })

  it('are read one by one when the list cannot be read', async () => {
    lying.refuse(({ path }) => (path === '/transfers' ? 500 : null))
    await tell(payouts)
    await handleBankEvents(test.deps)
    await expectAllCompleted()
    expect(asked().byId).toBe(12)
  })

  it('are as the newest says where the list shows each twice, as it was and as it is', async () => {
    const asItWas = (row: Record<string, unknown>) => {
      const updated = new Date(Date.parse(row['updated_at'] as string) - 1_000).toISOString()
      return { ...row, state: 'payment_submitted', updated_at: updated }
    }
    lying.lieAbout('/transfers', (rows) => rows.flatMap((row) => [asItWas(row), row]))
    await tell(payouts)
    await handleBankEvents(test.deps)
    await expectAllCompleted()
    expect(asked()).toEqual({ lists: 1, byId: 0 })
  })

  it('do not make a longer list worth reading than they would cost one by one', async () => {
    const strangers = Array.from({ length: 100 }, (_, nth) => ({ id: `stranger-${nth}`, client_reference_id: null }))
    lying.lieAbout('/transfers', () => strangers)
    await tell(payouts)
    await handleBankEvents(test.deps)
    await expectAllCompleted()
    expect(asked()).toEqual({ lists: 1, byId: 12 })
  })

  it('are asked for by their ids alone once the bank has not shown them', async () => {
    lying.lieAbout('/transfers', () => [])
    lying.refuse(({ method, path }) => (method === 'GET' && path.startsWith('/transfers/') ? 404 : null))
    await tell(payouts)
    await handleBankEvents(test.deps)
    // Each of them twice: it might be what the operator has added to a payment.
    expect([asked(), await unhandled()]).toEqual([{ lists: 1, byId: 24 }, 12])
    tellTheTruth()
    await test.moveClocks(6_000)
    before = lying.wire.length
    await handleBankEvents(test.deps)
    await expectAllCompleted()
    expect(asked()).toEqual({ lists: 0, byId: 12 })
  })

  it('hold up none of the others when one of them cannot be read', async () => {
    const [broken] = payouts as [Made]
    lying.refuse(({ path }) => (path === `/transfers/${broken.ref}` || path === '/transfers' ? 500 : null))
    await tell(payouts)
    await expect(handleBankEvents(test.deps)).rejects.toThrow('The bank answered 500.')
    expect([[...(await statuses())].toSorted(), await unhandled()]).toEqual([['completed', 'processing'], 1])
    tellTheTruth()
    await test.moveClocks(6_000)
    await handleBankEvents(test.deps)
    await expectAllCompleted()
  })
})
