// What the bank's messages name is read back: many at once by the list of what has changed since, one by one where that would
// cost more. Whichever way, each is dealt with, and a list that does not show one is no proof of anything.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { handleBankEvents } from '../../src/domain/banking/feeds/bank-events.ts'
import { type BankApp, startBankApp } from '../support/bank-app.ts'
import { keepMessages } from '../support/bank-message.ts'
import { StandingTime } from '../support/clock.ts'
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
  partner = await test.aConnectedPartner()
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
const tell = (
  some: readonly Pick<Made, 'ref'>[],
  happenedAt: Date | null = changedSince,
  state: string | null = 'payment_processed',
) =>
  keepMessages(
    test.deps,
    some.map(({ ref }) => ({ eventId: `told ${told++}`, objectRef: ref, happenedAt, state })),
  )

/** Nothing ends because a busy machine takes its time. */
const hear = (time = new StandingTime(() => test.clock.now())) => handleBankEvents({ ...test.deps, clock: time })

/** Reads transfers by their ids in another way, until that is called off. */
function readInstead(read: (ref: string) => Promise<unknown>): () => void {
  const real = test.deps.rails.provider_sandbox
  const readListed: typeof real.readListed = async (ref) => {
    await read(ref)
    return real.readListed(ref)
  }
  Object.assign(test.deps.rails, { provider_sandbox: { ...real, readListed } })
  return () => void Object.assign(test.deps.rails, { provider_sandbox: real })
}

/** How often the list was asked for, and how often a transfer by its id. */
function asked() {
  const paths = lying.wire.slice(before).map(({ path }) => path)
  return {
    lists: paths.filter((path) => path === '/transfers').length,
    byId: paths.filter((path) => path.startsWith('/transfers/')).length,
  }
}

/** As the bank lists them, the newest first. */
async function listed(): Promise<Record<string, unknown>[]> {
  const { apiKey } = test.bank.provider
  const answer = await fetch(`${test.bank.url}/v0/transfers?limit=100`, { headers: { 'api-key': apiKey } })
  return ((await answer.json()) as { data: Record<string, unknown>[] }).data
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
    await tell(payouts.slice(0, 6), new Date(changedSince.getTime() + 100))
    await tell(payouts.slice(6))
    await hear()
    await expectAllCompleted()
    expect(asked()).toEqual({ lists: 1, byId: 0 })
    const query = new URLSearchParams(lying.wire[before]!.query)
    expect(query.get('updated_after_ms')).toBe(String(changedSince.getTime() - 200))
  })

  it('are read one by one where they are few', async () => {
    await tell(payouts.slice(0, 9))
    await hear()
    expect(asked()).toEqual({ lists: 0, byId: 9 })
    await tell(payouts.slice(9))
    await hear()
    await expectAllCompleted()
  })

  it.each([
    ['do not say when', () => null],
    ['name a time that cannot be', () => new Date(test.clock.now().getTime() + 2 * HOUR_MS)],
    ['were long on their way', () => new Date(test.clock.now().getTime() - 2 * HOUR_MS)],
  ])('are read one by one where the messages %s', async (_, happenedAt) => {
    await tell(payouts, happenedAt())
    await hear()
    await expectAllCompleted()
    expect(asked()).toEqual({ lists: 0, byId: 12 })
  })

  it('are read one by one when the list does not show them', async () => {
    const hidden = new Set(payouts.slice(0, 4).map(({ ref }) => ref))
    lying.lieAbout('/transfers', (rows) => rows.filter((row) => !hidden.has(row['id'] as string)))
    await tell(payouts)
    await hear()
    await expectAllCompleted()
    expect(asked()).toEqual({ lists: 1, byId: 4 })
  })

  it('are read one by one when the list cannot be read', async () => {
    lying.refuse(({ path }) => (path === '/transfers' ? 500 : null))
    await tell(payouts)
    await hear()
    await expectAllCompleted()
    expect(asked().byId).toBe(12)
  })

  it.each([
    ['in another state', 'payment_processed', 'payment_submitted'],
    ['at another time', null, 'payment_submitted'],
    ['in the same state at another time', 'payment_processed', 'payment_processed'],
  ])('are read one by one when the list shows them as they were before, %s', async (_, state, shown) => {
    const asItWas = (row: Record<string, unknown>) => {
      const updated = new Date(changedSince.getTime() - 2_000).toISOString()
      return { ...row, state: shown, updated_at: updated }
    }
    const own = new Set(payouts.map(({ ref }) => ref))
    lying.lieAbout('/transfers', (rows) => rows.map((row) => (own.has(row['id'] as string) ? asItWas(row) : row)))
    await tell(payouts, changedSince, state)
    await hear()
    await expectAllCompleted()
    expect(asked()).toEqual({ lists: 1, byId: 12 })
  })

  it('are read by their ids when the list is behind and the messages do not say in which state they are', async () => {
    const asItWas = (row: Record<string, unknown>) => {
      const updated = new Date(changedSince.getTime() - 500).toISOString()
      return { ...row, state: 'payment_submitted', updated_at: updated }
    }
    const own = new Set(payouts.map(({ ref }) => ref))
    lying.lieAbout('/transfers', (rows) => rows.map((row) => (own.has(row['id'] as string) ? asItWas(row) : row)))
    await tell(payouts, changedSince, null)
    await hear()
    expect(asked()).toEqual({ lists: 1, byId: 12 })
    await expectAllCompleted()
  })

  it.each([
    ['first', (is: unknown, was: unknown) => [is, was]],
    ['last', (is: unknown, was: unknown) => [was, is]],
  ])('are not read again where the list shows each twice, the newest %s', async (_, both) => {
    const asItWas = (row: Record<string, unknown>) => {
      const updated = new Date(Date.parse(row['updated_at'] as string) - 1_000).toISOString()
      return { ...row, state: 'payment_submitted', updated_at: updated }
    }
    lying.lieAbout('/transfers', (rows) => rows.flatMap((row) => both(row, asItWas(row))))
    await tell(payouts)
    await hear()
    before = lying.wire.length
    await tell(payouts.slice(0, 9))
    await hear()
    expect(asked()).toEqual({ lists: 0, byId: 0 })
    await expectAllCompleted()
  })

  it('are as the newest says where the list shows each twice, as it was and as it is', async () => {
    const asItWas = (row: Record<string, unknown>) => {
      const updated = new Date(Date.parse(row['updated_at'] as string) - 1_000).toISOString()
      return { ...row, state: 'payment_submitted', updated_at: updated }
    }
    lying.lieAbout('/transfers', (rows) => rows.flatMap((row) => [asItWas(row), row]))
    await tell(payouts)
    await hear()
    await expectAllCompleted()
    expect(asked()).toEqual({ lists: 1, byId: 0 })
  })

  it('are not read again for what is known of them, or was on the way there', async () => {
    await tell(payouts)
    await hear()
    before = lying.wire.length
    await tell(payouts.slice(0, 6))
    await tell(payouts.slice(0, 6), changedSince, 'payment_submitted')
    await tell(payouts.slice(0, 6), changedSince, 'awaiting_funds')
    await hear()
    expect([asked(), await unhandled()]).toEqual([{ lists: 0, byId: 0 }, 0])
  })

  it.each([
    ['tell of a later moment', () => new Date(test.clock.now().getTime() + 1_000), 'payment_processed'],
    ['do not say when', () => null, 'payment_processed'],
    ['do not say in which state they are', () => changedSince, null],
    ['tell of a state that is not known', () => changedSince, 'quite_new'],
    ['tell of a state that comes after it', () => changedSince, 'returned'],
  ])('are read again where the messages %s', async (_, happenedAt, state) => {
    await tell(payouts)
    await hear()
    before = lying.wire.length
    await tell(payouts.slice(0, 6), happenedAt(), state)
    await hear()
    expect([asked(), await unhandled()]).toEqual([{ lists: 0, byId: 6 }, 0])
  })

  it('are read again when they were returned at the bank, whatever its clocks say', async () => {
    await tell(payouts)
    await hear()
    const [{ id, ref }] = payouts as [Made]
    await test.bank.control('POST', `/transfers/${ref}/return`)
    const minutesAgo = new Date(changedSince.getTime() - 3 * 60_000)
    lying.lieAbout(`/transfers/${ref}`, (rows) => rows.map((row) => ({ ...row, updated_at: minutesAgo.toISOString() })))
    await tell([{ ref }], changedSince)
    await hear()
    await expectAllCompleted()
    await tell([{ ref }], minutesAgo, 'returned')
    await hear()
    expect((await get(test, partner, `/v1/payouts/${id}`)).json()).toMatchObject({ status: 'returned' })
  })

  it('bring those along that the list shows as over, and leave those to whoever makes them that were just made', async () => {
    lying.refuse(({ method }) => (method === 'POST' ? { status: 504, isAfter: true } : null))
    await createPayout(test, partner)
    tellTheTruth()
    const doubtful = () =>
      sql(test, `select send_state, provider_ref from payouts where send_state <> 'accepted' and partner_id = $1`, [
        partner.id,
      ])
    const inDoubt = await doubtful()
    expect(inDoubt).toHaveLength(1)
    // The bank leaves the references of its transfers out, and has handed this one over.
    const own = new Set(payouts.map(({ ref }) => ref))
    const { transfers } = await test.bank.books()
    const [doubted] = transfers.filter((each) => each.state === 'awaiting_funds' && !own.has(each.id))
    await test.bank.control('POST', `/transfers/${doubted!.id}/submit`)
    lying.lieAbout('/transfers', (rows) => rows.map((row) => ({ ...row, client_reference_id: null })))
    before = lying.wire.length
    await tell(payouts.slice(2))
    await hear()
    await expectAllCompleted()
    expect([asked(), await doubtful()]).toEqual([{ lists: 1, byId: 0 }, inDoubt])
    // Its own message finds it, although it has been seen.
    tellTheTruth()
    before = lying.wire.length
    await tell([{ ref: doubted!.id }], changedSince, 'payment_submitted')
    await hear()
    expect([asked(), await doubtful(), test.alarms]).toEqual([{ lists: 0, byId: 1 }, [], []])
  })

  it('are not overwritten by what the list has shown before, written by another process', async () => {
    const [{ id, ref }] = payouts as [Made]
    await test.bank.control('POST', `/transfers/${ref}/return`)
    await tell([{ ref }], null, 'returned')
    await handleBankEvents((await test.anotherInstance()).deps)
    const asItWas = (row: Record<string, unknown>) => ({
      ...row,
      state: 'payment_processed',
      updated_at: changedSince.toISOString(),
    })
    lying.lieAbout('/transfers', (rows) => rows.map((row) => (row['id'] === ref ? asItWas(row) : row)))
    await tell(payouts.slice(1))
    await hear()
    const written = 'select status, provider_state as state from payouts where id = $1'
    expect(await sql(test, written, [id])).toEqual([{ status: 'returned', state: 'returned' }])
    expect([await unhandled(), test.alarms]).toEqual([0, []])
  })

  it('are listed page by page, in as many goes as it takes, and each change once', async () => {
    const strangers = Array.from({ length: 94 }, (_, nth) => ({ id: `stranger-${nth}`, client_reference_id: null }))
    const isFirst = (query: URLSearchParams) => !query.has('starting_after')
    lying.lieAbout('/transfers', (rows, query) => (isFirst(query) ? [...strangers, ...rows.slice(0, 6)] : rows))
    const lists = () =>
      lying.wire
        .slice(before)
        .filter(({ path }) => path === '/transfers')
        .map(({ query }) => new URLSearchParams(query))
    const ten = (await listed()).slice(0, 10).map(({ id }) => ({ ref: id as string }))
    const tellOfTen = async () => {
      await tell(ten)
      await hear()
    }
    await tellOfTen()
    expect(asked()).toEqual({ lists: 1, byId: 4 })
    expect(await statuses()).toEqual(new Set(['completed', 'processing']))
    await tellOfTen()
    await expectAllCompleted()
    await tellOfTen()
    expect(asked()).toEqual({ lists: 3, byId: 4 })
    const [first, second, third] = lists()
    expect([first, second, third].map((query) => isFirst(query!))).toEqual([true, false, true])
    const since = [first, second, third].map((query) => Number(query!.get('updated_after_ms')))
    expect(since[1]).toBe(since[0])
    expect(since[2]).toBeGreaterThan(since[0]!)
  })

  it('are listed from the beginning after a page that could not be read', async () => {
    const strangers = Array.from({ length: 94 }, (_, nth) => ({ id: `stranger-${nth}`, client_reference_id: null }))
    lying.lieAbout('/transfers', (rows) => [...strangers, ...rows.slice(0, 6)])
    await tell(payouts.slice(2))
    await hear()
    tellTheTruth()
    lying.refuse(({ path }) => (path === '/transfers' ? 500 : null))
    await tell(payouts.slice(2))
    await hear()
    tellTheTruth()
    before = lying.wire.length
    await tell(payouts)
    await hear()
    await expectAllCompleted()
    expect(new URLSearchParams(lying.wire[before]!.query).has('starting_after')).toBe(false)
  })

  it('make nobody turn the pages of a list that goes round in a circle, or has no end', async () => {
    const strangers = (from: number) =>
      Array.from({ length: 99 }, (_, nth) => ({ id: `stranger-${from + nth}`, client_reference_id: null }))
    const many = Array.from({ length: 480 }, (_, nth) => ({ ref: `stranger-${nth}` }))
    const askedFor = async (list: (rows: Record<string, unknown>[]) => unknown[]) => {
      lying.lieAbout('/transfers', list)
      before = lying.wire.length
      await tell([...many, ...payouts])
      await hear()
      const { lists } = asked()
      await sql(test, 'delete from bank_events')
      await sql(test, 'delete from bank_rows_waiting')
      return lists
    }
    const [last] = await listed()
    expect(await askedFor(() => [...strangers(0), last])).toBeLessThanOrEqual(4)
    // Told of again, all of them are known or wait already.
    await tell(payouts)
    await hear()
    let page = 0
    const rows = () => strangers(99 * page++)
    const known = Array.from({ length: 40 }, () => payouts).flat()
    lying.lieAbout('/transfers', () => [...rows(), last])
    before = lying.wire.length
    await tell(known)
    await hear()
    expect(asked().lists).toBeLessThanOrEqual(1)
  })

  it('do not make a longer list worth reading than they would cost one by one', async () => {
    const strangers = Array.from({ length: 100 }, (_, nth) => ({ id: `stranger-${nth}`, client_reference_id: null }))
    lying.lieAbout('/transfers', () => strangers)
    await tell(payouts)
    await hear()
    await expectAllCompleted()
    expect(asked()).toEqual({ lists: 1, byId: 12 })
  })

  it('are asked for by their ids alone once the bank has not shown them', async () => {
    lying.lieAbout('/transfers', () => [])
    lying.refuse(({ method, path }) => (method === 'GET' && path.startsWith('/transfers/') ? 404 : null))
    await tell(payouts)
    await hear()
    expect([asked(), await unhandled()]).toEqual([{ lists: 1, byId: 12 }, 12])
    tellTheTruth()
    await test.moveClocks(6_000)
    before = lying.wire.length
    await hear()
    await expectAllCompleted()
    expect(asked()).toEqual({ lists: 0, byId: 12 })
  })

  it('hold up none of the others when one of them cannot be read', async () => {
    const [broken] = payouts as [Made]
    lying.refuse(({ path }) => (path === `/transfers/${broken.ref}` || path === '/transfers' ? 500 : null))
    await tell(payouts)
    await expect(hear()).rejects.toThrow('The bank answered 500.')
    expect([[...(await statuses())].toSorted(), await unhandled()]).toEqual([['completed', 'processing'], 1])
    tellTheTruth()
    await test.moveClocks(6_000)
    await hear()
    await expectAllCompleted()
  })

  it('are read for a second, those first that were tried least, and the others in the next goes', async () => {
    const time = new StandingTime(() => test.clock.now())
    const [triedBefore, newcomers] = [payouts.slice(0, 6), payouts.slice(6)]
    await tell(triedBefore, null)
    await sql(test, 'update bank_events set attempts = 1')
    await tell(newcomers, null)
    const read: string[] = []
    const callOff = readInstead(async (ref) => {
      read.push(ref)
      time.pass(200)
    })
    await hear(time)
    expect([read.length, await unhandled()]).toEqual([5, 7])
    expect(newcomers.map(({ ref }) => ref)).toEqual(expect.arrayContaining(read))
    for (const left of [2, 0]) {
      await hear(time)
      expect(await unhandled()).toBe(left)
    }
    callOff()
    expect(read).toHaveLength(12)
    await expectAllCompleted()
  })

  it('hold up none of the others when the bank does not answer for one of them', async () => {
    const time = new StandingTime(() => test.clock.now())
    const [hanging] = payouts as [Made]
    let answer = () => undefined as void
    const answered = new Promise<void>((resolve) => (answer = resolve))
    const callOff = readInstead(async (ref) => ref === hanging.ref && (await answered))
    await tell(payouts, null)
    const going = hear(time)
    const completed = `select from payouts where status = 'completed' and partner_id = $1`
    await vi.waitFor(async () => expect(await sql(test, completed, [partner.id])).toHaveLength(11), 20_000)
    time.pass(3_000)
    await going
    callOff()
    expect([await unhandled(), test.alarms]).toEqual([1, []])
    await test.moveClocks(6_000)
    await hear()
    await expectAllCompleted()
    answer()
  })
})
