// Two services on one database and one bank. They sweep, hear and follow at once, and each change happens once; and
// whoever has lost a lease while waiting for the bank writes nothing down.
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { handleBankEvents } from '../../src/domain/banking/feeds/bank-events.ts'
import { reconcileBank } from '../../src/domain/banking/reconcile/reconcile-bank.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { createFollower, followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import type { PayoutRail } from '../../src/rail/port.ts'
import type { TestApp } from '../support/app.ts'
import { type BankApp, balanceAtBank, startBankApp } from '../support/bank-app.ts'
import {
  FOLLOWED_NOW,
  type TestPartner,
  aRecipient,
  anIdempotencyKey,
  anObligingRail,
  balanceOf,
  createPayout,
  get,
  inLive,
  sql,
} from '../support/fixtures.ts'
import { manyPayouts } from '../support/many-payouts.ts'

const FLOAT = 10_000_000_000n
const SENT = 32_070_000n
const LONGER_THAN_A_LEASE_MS = 31_000

interface Gate {
  readonly isReached: Promise<void>
  readonly open: () => void
  readonly wait: () => Promise<void>
}

/** A gate: callers wait at it until it is opened. */
function aGate(): Gate {
  let open = () => undefined as void
  let reach = () => undefined as void
  const isOpen = new Promise<void>((resolve) => (open = resolve))
  const isReached = new Promise<void>((resolve) => (reach = resolve))
  return {
    isReached,
    open: () => open(),
    wait: () => {
      reach()
      return isOpen
    },
  }
}

/** Replaces one call of a service's rail; the next calls are real again. */
function onceInstead<K extends 'submit' | 'readTransfers' | 'listTransfers'>(
  app: TestApp,
  name: K,
  call: (real: PayoutRail, ...input: Parameters<PayoutRail[K]>) => ReturnType<PayoutRail[K]>,
): void {
  const real = app.deps.rails.provider_sandbox
  const changed = {
    ...real,
    [name]: (...input: Parameters<PayoutRail[K]>) => {
      Object.assign(app.deps.rails, { provider_sandbox: real })
      return call(real, ...input)
    },
  }
  Object.assign(app.deps.rails, { provider_sandbox: changed })
}

/** All that a lost race could have written. */
async function everythingOf(test: BankApp, partner: TestPartner): Promise<object> {
  return {
    payouts: await sql(
      test,
      `select p.id, p.status, p.send_state, p.refund_state, p.provider_ref, p.updated_at, f.lease_token, f.checks
         from payouts p left join payout_follow_ups f on f.payout_id = p.id
        where p.partner_id = $1 order by p.id`,
      [partner.id],
    ),
    entries: await sql(test, 'select id, cause, kind from ledger_entries where partner_id = $1 order by id', [
      partner.id,
    ]),
    balance: await balanceOf(test, partner),
  }
}

/** Asks again with the same key, as a business does, where a busy machine made it wait too long. */
async function paid(app: TestApp, partner: TestPartner, reference: string): Promise<LightMyRequestResponse> {
  const headers = { 'idempotency-key': anIdempotencyKey() }
  const ask = () => createPayout(app, partner, { reference }, headers)
  let reply = await ask()
  for (let again = 0; again < 20 && reply.statusCode >= 500; again++) reply = await ask()
  expect([200, 201]).toContain(reply.statusCode)
  return reply
}

describe('two services that do everything at once', () => {
  const STORIES = [
    { story: 'settle', status: 'completed', isBack: false },
    { story: 'late', status: 'completed', isBack: false },
    { story: 'hold', status: 'processing', isBack: false },
    { story: 'return', status: 'returned', isBack: true },
    { story: 'fail', status: 'failed', isBack: true },
    { story: 'cancel', status: 'cancelled', isBack: true },
  ]

  it('bring 36 payouts to the ends of their stories, each change once', async () => {
    const test = await startBankApp()
    try {
      await test.listen()
      const other = await test.anotherInstance()
      const partners = [await test.aConnectedPartner(), await test.aConnectedPartner()]
      const told = await Promise.all(
        Array.from({ length: 36 }, async (_, index) => {
          const each = STORIES[index % STORIES.length]!
          const partner = partners[index % partners.length]!
          // Both services give the same answer.
          const app = index % 3 === 0 ? other : test
          const reference = each.story === 'settle' ? 'Invoice' : `sandbox:${each.story}`
          const created = await paid(app, partner, reference)
          return { ...each, partner, id: created.json<{ id: string }>().id }
        }),
      )
      for (const milliseconds of [600, 1_500, 2_000, 1_000, 2_000, 10_000]) {
        await test.moveClocks(milliseconds)
        const services = [test.deps, other.deps]
        await Promise.all(
          services.flatMap((deps) => [
            sweepTransfers(deps, 'sandbox'),
            handleBankEvents(deps),
            followPayouts(deps),
            handleBankEvents(deps),
            followPayouts(deps),
          ]),
        )
      }
      await sweepTransfers(test.deps, 'sandbox')
      for (const { id, partner, status } of told) {
        expect((await get(test, partner, `/v1/payouts/${id}`)).json()).toMatchObject({ status })
      }
      const backs = await sql<{ cause: string; times: number }>(
        test,
        `select cause, count(*)::int as times from ledger_entries
          where to_account = 'available' and kind <> 'credit' group by cause order by cause`,
      )
      const expected = told.filter((each) => each.isBack).map((each) => ({ cause: each.id, times: 1 }))
      expect(backs).toEqual(expected.toSorted((a, b) => (a.cause < b.cause ? -1 : 1)))
      for (const partner of partners) {
        expect(await balanceOf(test, partner)).toBe(await balanceAtBank(test, partner))
      }
      expect((await test.bank.books()).transfers).toHaveLength(36)
      expect(await reconcileBank(test.deps, 'sandbox')).toEqual([])
      expect(test.alarms).toEqual([])
      await vi.waitFor(async () => {
        await Promise.all([handleBankEvents(test.deps), handleBankEvents(other.deps)])
        const waiting = await test.bank.query(`select 1 from deliveries where state = 'waiting' limit 1`)
        expect(waiting).toEqual([])
      }, 20_000)
      while ((await handleBankEvents(test.deps)) > 0);
      // Every event was taken by one service and by no other.
      const attempts = await sql(test, 'select distinct attempts from bank_events where handled_at is not null')
      expect(attempts).toEqual([{ attempts: 1 }])
      expect(await sql(test, 'select 1 from bank_events where handled_at is null')).toEqual([])
    } finally {
      await test.close()
    }
  })
})

describe('whoever waited for the bank longer than a lease', () => {
  let test: BankApp
  let other: TestApp
  let partner: TestPartner
  beforeAll(async () => {
    test = await startBankApp({ totalTimeoutMs: 5_000 })
    await test.bank.standStill()
    other = await test.anotherInstance()
  })
  afterAll(() => test.close())

  const statusOf = async (id: string) =>
    (await get(test, partner, `/v1/payouts/${id}`)).json<{ status: string }>().status
  const transferOf = async (id: string) =>
    (await test.bank.books()).transfers.find((each) => each.client_reference_id === id)!.id

  it('while following records nothing, when another has recorded meanwhile', async () => {
    partner = await test.aConnectedPartner()
    const { id } = (await createPayout(test, partner)).json<{ id: string }>()
    const transferRef = await transferOf(id)
    await test.moveClocks(16_000)
    const gate = aGate()
    onceInstead(test, 'readTransfers', async (real, refs) => {
      const old = await real.readTransfers(refs)
      await gate.wait()
      return old
    })
    const slow = followPayouts(test.deps)
    await gate.isReached
    // Under the lease nobody else takes it.
    const before = await everythingOf(test, partner)
    await followPayouts(other.deps)
    expect(await everythingOf(test, partner)).toEqual(before)
    for (const step of ['settle', 'return', 'refund'])
      await test.bank.control('POST', `/transfers/${transferRef}/${step}`)
    await test.moveClocks(LONGER_THAN_A_LEASE_MS)
    await followPayouts(other.deps)
    expect(await statusOf(id)).toBe('returned')
    const after = await everythingOf(test, partner)
    expect(after).toMatchObject({ balance: FLOAT })
    gate.open()
    await slow
    expect(await everythingOf(test, partner)).toEqual(after)
  })

  it('while creating answers with what another has found out, and the bank has paid once', async () => {
    partner = await test.aConnectedPartner()
    const gate = aGate()
    onceInstead(test, 'submit', async (real, request) => {
      const answer = await real.submit(request)
      await gate.wait()
      return answer
    })
    const creating = createPayout(test, partner)
    await gate.isReached
    await followPayouts(other.deps)
    expect((await test.bank.books()).transfers.filter((each) => each.state === 'awaiting_funds')).toHaveLength(1)
    await test.moveClocks(LONGER_THAN_A_LEASE_MS)
    await followPayouts(other.deps)
    const [{ id }] = (await sql<{ id: string }>(test, 'select id from payouts where partner_id = $1', [
      partner.id,
    ])) as [{ id: string }]
    await test.bank.control('POST', `/transfers/${await transferOf(id)}/settle`)
    await sweepTransfers(other.deps, 'sandbox')
    const after = await everythingOf(test, partner)
    gate.open()
    const created = await creating
    expect(created.statusCode).toBe(201)
    expect(created.json()).toMatchObject({ id, status: 'completed' })
    expect(await everythingOf(test, partner)).toEqual(after)
    expect(after).toMatchObject({ balance: FLOAT - SENT })
    const { transfers } = await test.bank.books()
    expect(transfers.filter((each) => each.client_reference_id === id)).toHaveLength(1)
  })

  it.each([
    { kind: 'not_sent', reason: 'The connection was refused.' },
    { kind: 'rejected', reason: 'Unknown account.' },
    { kind: 'unknown', reason: 'No answer.' },
  ] as const)('while creating cannot take the money back with "$kind"', async (late) => {
    partner = await test.aConnectedPartner()
    const gate = aGate()
    onceInstead(test, 'submit', async (real, request) => {
      await real.submit(request)
      await gate.wait()
      return late
    })
    const creating = createPayout(test, partner)
    await gate.isReached
    await test.moveClocks(LONGER_THAN_A_LEASE_MS)
    await followPayouts(other.deps)
    const after = await everythingOf(test, partner)
    gate.open()
    const created = await creating
    expect(created.statusCode).toBe(201)
    expect(created.json()).toMatchObject({ status: 'processing' })
    expect(await everythingOf(test, partner)).toEqual(after)
    expect(after).toMatchObject({ balance: FLOAT - SENT })
  })

  it('while sweeping changes nothing with what it had read, and reads no further back than others have come', async () => {
    partner = await test.aConnectedPartner()
    const { id } = (await createPayout(test, partner, { recipient: aRecipient() })).json<{ id: string }>()
    const transferRef = await transferOf(id)
    const gate = aGate()
    onceInstead(test, 'listTransfers', async (real, since, cursor) => {
      const old = await real.listTransfers(since, cursor)
      await gate.wait()
      return old
    })
    const slow = sweepTransfers(test.deps, 'sandbox')
    await gate.isReached
    // While somebody reads, nobody else does.
    expect(await sweepTransfers(other.deps, 'sandbox')).toBeNull()
    await test.bank.control('POST', `/transfers/${transferRef}/settle`)
    await test.moveClocks(LONGER_THAN_A_LEASE_MS)
    expect(await sweepTransfers(other.deps, 'sandbox')).toBeGreaterThan(0)
    expect(await statusOf(id)).toBe('completed')
    const after = (await everythingOf(test, partner)) as { entries: object[]; balance: bigint }
    const mark = await sql(test, 'select read_up_to from bank_feeds')
    gate.open()
    await slow
    expect(await statusOf(id)).toBe('completed')
    expect(await everythingOf(test, partner)).toMatchObject({ entries: after.entries, balance: after.balance })
    expect(await sql(test, 'select read_up_to from bank_feeds')).toEqual(mark)
  })

  it('while handling a message leaves it to another, and its effect happens once', async () => {
    partner = await test.aConnectedPartner()
    const { id } = (await createPayout(test, partner)).json<{ id: string }>()
    const transferRef = await transferOf(id)
    for (const step of ['undeliver', 'refund']) await test.bank.control('POST', `/transfers/${transferRef}/${step}`)
    await sql(
      test,
      `insert into bank_events (environment, event_id, category, object_ref, received_at)
       values ('sandbox', 'evt_slow', 'transfer', $1, now())`,
      [transferRef],
    )
    const gate = aGate()
    const real = test.deps.rails.provider_sandbox
    Object.assign(test.deps.rails, {
      provider_sandbox: {
        ...real,
        readListed: async (ref: string) => {
          const old = await real.readListed(ref)
          await gate.wait()
          return old
        },
      },
    })
    const slow = handleBankEvents(test.deps)
    await gate.isReached
    Object.assign(test.deps.rails, { provider_sandbox: real })
    expect(await handleBankEvents(other.deps)).toBe(0)
    await test.moveClocks(6_000)
    expect(await handleBankEvents(other.deps)).toBe(1)
    const after = await everythingOf(test, partner)
    expect(after).toMatchObject({ balance: FLOAT })
    gate.open()
    await slow
    expect(await everythingOf(test, partner)).toEqual(after)
  })

  it('while handling messages of sandbox’s holds up none of live’s, however many came before', async () => {
    await sql(
      test,
      `insert into bank_events (environment, event_id, category, object_ref, received_at, happened_at)
       select 'sandbox'::environment, 'evt_many_' || n, 'transfer', gen_random_uuid(), at, at
         from generate_series(1, 600) n, lateral (select now() - interval '1 hour' as at) an_hour_ago
       union all select 'live', 'evt_live', 'of another kind', gen_random_uuid(), now(), null`,
    )
    const gate = aGate()
    onceInstead(test, 'listTransfers', async (real, since, cursor) => {
      await gate.wait()
      return real.listTransfers(since, cursor)
    })
    const slow = handleBankEvents(test.deps)
    await gate.isReached
    await vi.waitFor(async () => {
      const handled = await sql(
        test,
        `select 1 from bank_events where event_id = 'evt_live' and handled_at is not null`,
      )
      expect(handled).toHaveLength(1)
    }, 20_000)
    gate.open()
    await slow.catch(() => undefined)
    await sql(test, `delete from bank_events where event_id like 'evt_%'`)
  })

  it('for one wallet holds up that one: the others’ payouts are followed round after round', async () => {
    const [hanging, quick] = [await test.aConnectedPartner(), await test.aConnectedPartner()]
    const stuck = (await createPayout(test, hanging)).json<{ id: string }>().id
    const moving = (await createPayout(test, quick)).json<{ id: string }>().id
    const [stuckRef, movingRef] = [await transferOf(stuck), await transferOf(moving)]
    const gate = aGate()
    const real = test.deps.rails.provider_sandbox
    const readTransfers: PayoutRail['readTransfers'] = async (refs) => {
      if (refs.includes(stuckRef)) await gate.wait()
      return real.readTransfers(refs)
    }
    Object.assign(test.deps.rails, { provider_sandbox: { ...real, readTransfers } })
    const follower = createFollower(test.deps, (error) => expect.unreachable(String(error)))
    const followedTo = (status: string) =>
      vi.waitFor(async () => {
        await follower.round()
        expect((await get(test, quick, `/v1/payouts/${moving}`)).json()).toMatchObject({ status })
      }, 20_000)
    await test.moveClocks(600_000)
    await follower.round()
    await gate.isReached
    // Two things that the bank does with the other's transfer, one after the other, each of them followed meanwhile.
    await test.bank.control('POST', `/transfers/${movingRef}/settle`)
    await sql(test, FOLLOWED_NOW, [moving])
    await followedTo('completed')
    await test.bank.control('POST', `/transfers/${movingRef}/return`)
    await sql(test, FOLLOWED_NOW, [moving])
    await followedTo('returned')
    expect((await get(test, hanging, `/v1/payouts/${stuck}`)).json()).toMatchObject({ status: 'processing' })
    gate.open()
    await follower.settled()
    Object.assign(test.deps.rails, { provider_sandbox: real })
  })

  it('in sandbox holds up no live payout, however many of sandbox are due before it', async () => {
    const real = { ...test.deps.rails }
    const gate = aGate()
    const readTransfers: PayoutRail['readTransfers'] = async () => {
      await gate.wait()
      return new Map()
    }
    const hanging = { ...real.provider_sandbox, readTransfers }
    const live = await inLive(test, await test.anUnconnectedPartner(), '100.00')
    Object.assign(test.deps.rails, { provider_sandbox: hanging, provider_production: anObligingRail() })
    const created = await createPayout(test, live)
    expect(created.statusCode).toBe(201)
    const { id } = created.json<{ id: string }>()
    // More wallets than are followed at once, and of those that are left more payouts than are listed at once.
    for (let wallets = 0; wallets < 36; wallets++) {
      const { id: partnerId } = await test.anUnconnectedPartner()
      await manyPayouts((text, values) => sql(test, text, values), partnerId, { count: 16, newest: test.clock.now() })
    }
    await test.moveClocks(600_000)
    await sql(
      test,
      `with many as (
         update payouts set rail = 'provider_sandbox', provider_ref = gen_random_uuid()
          where idempotency_key like 'many-payouts-%' returning *)
       insert into payout_follow_ups (partner_id, environment, payout_id, created_at, next_check_at)
       select partner_id, environment, id, created_at, created_at from many`,
    )
    const follower = createFollower(test.deps, (error) => expect.unreachable(String(error)))
    for (let round = 0; round < 4; round++) await follower.round()
    await gate.isReached
    await vi.waitFor(async () => {
      expect((await get(test, live, `/v1/payouts/${id}`)).json()).toMatchObject({ status: 'completed' })
    }, 20_000)
    await sql(
      test,
      `delete from payout_follow_ups
        where payout_id in (select id from payouts where idempotency_key like 'many-payouts-%')`,
    )
    gate.open()
    await follower.settled()
    Object.assign(test.deps.rails, real)
  })
})
