// What the table of payouts refuses by itself: illegal moves, changed money, removed payouts, keys used twice.
import { randomUUID } from 'node:crypto'

import { PAYOUT_STATUSES, type PayoutStatus } from '@kestrel/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { MOVES_BY_HAND, PAYOUT_MOVES } from '../../src/domain/payouts/states.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, aRecipient, createPayout } from '../support/fixtures.ts'
import { type Owner, ownerOf } from './owner.ts'
import { stopTheClock } from '../races/stopped-clock.ts'

let test: TestApp
let owner: Owner
let partner: TestPartner
/** A payout in every status, all of them visible. */
const payoutIn = new Map<PayoutStatus, string>()

beforeAll(async () => {
  test = await startTestApp()
  stopTheClock(test)
  owner = await ownerOf(test.database.url)
  partner = await aPartner(test)
  const make = async (body: Parameters<typeof createPayout>[2] = {}) =>
    (await createPayout(test, partner, body)).json<{ id: string }>().id
  payoutIn.set('failed', await make({ recipient: aRecipient({ account_number: '12340000' }) }))
  payoutIn.set('cancelled', await make({ reference: 'sandbox:cancel' }))
  payoutIn.set('returned', await make({ reference: 'sandbox:return' }))
  payoutIn.set('completed', await make())
  for (let second = 0; second < 3; second++) {
    test.clock.advance(2_000)
    await test.follow()
  }
  payoutIn.set('processing', await make({ reference: 'sandbox:hold' }))
  payoutIn.set('pending', await make({ reference: 'sandbox:late' }))
})
afterAll(async () => {
  await owner.end()
  await test.close()
})

const readPayout = async (id: string) => (await owner.query('select * from payouts where id = $1', [id]))[0]!

/** A copy of a payout with some columns changed, as a new row. */
const COPY = 'insert into payouts select (jsonb_populate_record(p, $2)).* from payouts p where p.id = $1'
const copyOf = (id: string, changes: Record<string, unknown>) => [id, JSON.stringify({ id: randomUUID(), ...changes })]
const freshKey = () => `key-${randomUUID()}`

describe('the status of a payout', () => {
  it('is one of six, and this file has a payout in each', async () => {
    for (const status of PAYOUT_STATUSES) {
      expect((await readPayout(payoutIn.get(status)!))['status']).toBe(status)
    }
    const refusal = await owner.refusal(`update payouts set status = 'lost' where id = $1`, [payoutIn.get('pending')])
    // The guard does not know the move, so the constraint is not even asked.
    expect(refusal.message).toBe('a payout does not move from pending to lost')
  })

  const cells = PAYOUT_STATUSES.flatMap((from) =>
    PAYOUT_STATUSES.map((to) => ({
      from,
      to,
      isMove: (PAYOUT_MOVES[from] as readonly PayoutStatus[]).includes(to),
      isByHand: (MOVES_BY_HAND[from] as readonly PayoutStatus[]).includes(to),
    })),
  )

  it.each(cells)(
    'from $from to $to: the database and the program agree ($isMove, by hand $isByHand)',
    async ({ from, to, isMove, isByHand }) => {
      const [row] = await owner.query<{ may: boolean }>('select payout_may_move($1, $2) as may', [from, to])
      expect(row!.may).toBe(isMove || isByHand)
    },
  )

  it.each(cells.filter(({ from, to, isMove }) => from !== to && !isMove))(
    'does not move from $from to $to, even for the owner',
    async ({ from, to }) => {
      const id = payoutIn.get(from)!
      const before = await readPayout(id)
      const refusal = await owner.refusal(
        `update payouts set status = $2, completed_at = coalesce(completed_at, now()),
           failure_reason = coalesce(failure_reason, 'x') where id = $1`,
        [id, to],
      )
      expect(refusal.message).toBe(`a payout does not move from ${from} to ${to}`)
      expect(await readPayout(id)).toEqual(before)
    },
  )

  it.each(cells.filter(({ isMove }) => isMove))('may move from $from to $to', async ({ from, to }) => {
    await owner.rolledBack(async () => {
      await owner.query(
        `update payouts set status = $2, send_state = 'accepted',
           completed_at = case when $2 = 'completed' then now() else completed_at end,
           refund_state = case when $2 in ('failed', 'cancelled', 'returned') then 'due' else 'none' end,
           failure_reason = coalesce(failure_reason, 'x') where id = $1`,
        [payoutIn.get(from), to],
      )
      expect((await readPayout(payoutIn.get(from)!))['status']).toBe(to)
    })
  })
})

describe('that a payout was handed over', () => {
  it.each(['null', `now() + interval '1 second'`])('is never changed to %s', async (to) => {
    await owner.rolledBack(async () => {
      const id = payoutIn.get('processing')
      await owner.query('update payouts set handed_over_at = now() where id = $1', [id])
      await owner.query('update payouts set updated_at = now() where id = $1', [id])
      const change = owner.query(`update payouts set handed_over_at = ${to} where id = $1`, [id])
      await expect(change).rejects.toThrow('stays true')
    })
  })
})

describe('an ending that is undone', () => {
  /** The payout ended, its refund is as said, and then it is completed; the trace is that of another status, or none. */
  const undo = async (from: PayoutStatus, refund: 'due' | 'done', trace: string | null, count = 1) => {
    const id = payoutIn.get(from)
    await owner.query(`update payouts set refund_state = $2, send_state = 'accepted' where id = $1`, [id, refund])
    if (trace !== null) {
      await owner.query(
        `insert into undone_endings (partner_id, environment, payout_id, nth, status, had_completed, ended_at, undone_at)
         values ($1, 'sandbox', $2, 1, $3, false, now(), now())`,
        [partner.id, id, trace],
      )
    }
    return owner.query(
      `update payouts set status = 'completed', refund_state = 'none', completed_at = coalesce(completed_at, now()),
         endings_undone = $2 where id = $1 returning status`,
      [id, count],
    )
  }
  const ENDED = ['failed', 'cancelled', 'returned'] as const

  it.each(ENDED)('may be while the refund of what is %s is due, with its trace', async (from) => {
    await owner.rolledBack(async () => {
      expect(await undo(from, 'due', from)).toEqual([{ status: 'completed' }])
    })
  })

  it.each(ENDED)('is refused once the money of what is %s was given back', async (from) => {
    await owner.rolledBack(async () => {
      await expect(undo(from, 'done', from)).rejects.toThrow(`a payout does not move from ${from} to completed`)
    })
  })

  it.each([
    { why: 'without a trace', trace: null, count: 1 },
    { why: 'with the trace of another ending', trace: 'failed', count: 1 },
    { why: 'without being counted', trace: 'returned', count: 0 },
    { why: 'counted twice', trace: 'returned', count: 2 },
  ])('is refused $why', async ({ trace, count }) => {
    await owner.rolledBack(async () => {
      await expect(undo('returned', 'due', trace, count)).rejects.toThrow('does not move from returned to completed')
    })
  })

  it('is not counted where nothing was undone, and its trace is kept for ever', async () => {
    const id = payoutIn.get('completed')
    const counted = await owner.refusal('update payouts set endings_undone = 1 where id = $1', [id])
    expect(counted.message).toBe('a payout does not move from completed to completed')
    for (const change of [`update undone_endings set status = 'failed'`, 'delete from undone_endings']) {
      await owner.rolledBack(async () => {
        await undo('returned', 'due', 'returned')
        await expect(owner.query(change)).rejects.toThrow('undone_endings is append-only')
      })
    }
    expect((await owner.refusal('truncate undone_endings')).message).toMatch(/append-only/)
  })
})

describe('what a visible payout was asked for and what it costs', () => {
  const CHANGES = [
    { set: 'amount_pence = amount_pence + 1', what: 'the amount' },
    { set: 'fee_pence = fee_pence + 1, fee_on_invoice_pence = fee_on_invoice_pence + 1', what: 'the fee' },
    {
      set: 'fee_in_transfer_pence = fee_in_transfer_pence + 1, fee_on_invoice_pence = fee_on_invoice_pence - 1',
      what: 'how the fee is parted',
    },
    { set: 'gbp_per_usd = gbp_per_usd + 0.01', what: 'the rate' },
    { set: 'wallet_sends_micro = wallet_sends_micro + 1', what: 'what the wallet sends' },
    { set: `fingerprint = decode(repeat('00', 32), 'hex')`, what: 'the fingerprint' },
    { set: `idempotency_key = 'another-key'`, what: 'the key' },
    { set: `recipient_sealed = '\\x00'`, what: 'the recipient' },
    { set: `surfaced_at = surfaced_at + interval '1 second'`, what: 'the moment it was created' },
  ]

  it.each(CHANGES)('never changes: $what', async ({ set }) => {
    for (const status of PAYOUT_STATUSES) {
      const id = payoutIn.get(status)!
      const before = await readPayout(id)
      const refusal = await owner.refusal(`update payouts set ${set} where id = $1`, [id])
      expect(refusal.message).toBe('what a payout was asked for and what it costs never change')
      expect(await readPayout(id)).toEqual(before)
    }
  })

  it('is not taken back out of sight', async () => {
    const refusal = await owner.refusal('update payouts set surfaced_at = null where id = $1', [
      payoutIn.get('pending'),
    ])
    expect(refusal.message).toBe('what a payout was asked for and what it costs never change')
  })
})

describe('a visible payout', () => {
  it.each(PAYOUT_STATUSES)('that is %s is never deleted', async (status) => {
    const id = payoutIn.get(status)!
    const refusal = await owner.refusal('delete from payouts where id = $1', [id])
    expect(refusal.message).toBe('a payout is never deleted')
    expect((await readPayout(id))['status']).toBe(status)
  })

  it('is never truncated away', async () => {
    const refusal = await owner.refusal('truncate payouts')
    expect(refusal.message).toMatch(/payout.*(never|append-only|not allowed)/)
  })
})

describe('an attempt that nobody has seen', () => {
  const unseen = { surfaced_at: null, status: 'pending', send_state: 'sending', completed_at: null }

  it('may be priced anew and taken away again', async () => {
    await owner.rolledBack(async () => {
      const [id, changes] = copyOf(payoutIn.get('pending')!, { ...unseen, idempotency_key: freshKey() })
      await owner.query(COPY, [id, changes])
      const copy = (JSON.parse(changes!) as { id: string }).id
      await owner.query('update payouts set gbp_per_usd = 0.8, wallet_sends_micro = 5 where id = $1', [copy])
      await owner.query('delete from payouts where id = $1', [copy])
      expect(await owner.query('select 1 from payouts where id = $1', [copy])).toEqual([])
    })
  })

  it.each([
    { changes: { status: 'processing' }, why: 'what is on its way has been seen' },
    { changes: { status: 'failed', failure_reason: 'x' }, why: 'what failed has been seen' },
    { changes: { status: 'completed', completed_at: '2026-07-01T00:00:00Z' }, why: 'what arrived has been seen' },
  ])('is pending: $why', async ({ changes }) => {
    const copy = copyOf(payoutIn.get('pending')!, { ...unseen, idempotency_key: freshKey(), ...changes })
    expect((await owner.refusal(COPY, copy)).code).toBe('23514')
  })
})

describe('a payout’s wallet', () => {
  const unseen = { surfaced_at: null, status: 'pending', send_state: 'sending', completed_at: null }

  it('exists: one of nobody, and one that another connection is about to make, are refused', async () => {
    const stranger = randomUUID()
    const ofStranger = () =>
      copyOf(payoutIn.get('pending')!, { ...unseen, idempotency_key: freshKey(), partner_id: stranger })
    const refusal = await owner.refusal(COPY, ofStranger())
    expect([refusal.code, refusal.message]).toEqual([
      '23503',
      `a payout needs a wallet that exists: partner ${stranger} has none in sandbox`,
    ])
    const other = await ownerOf(test.database.url)
    await other.rolledBack(async () => {
      await other.query(`insert into partners (id, slug, name, created_at) values ($1, 'later', 'Later', now())`, [
        stranger,
      ])
      await other.query(`insert into wallets (partner_id, environment, created_at) values ($1, 'sandbox', now())`, [
        stranger,
      ])
      expect((await owner.refusal(COPY, ofStranger())).code).toBe('23503')
    })
    await other.end()
  })

  it('stays its own while nobody has seen the payout', async () => {
    await owner.rolledBack(async () => {
      const [id, changes] = copyOf(payoutIn.get('pending')!, { ...unseen, idempotency_key: freshKey() })
      await owner.query(COPY, [id, changes])
      const copy = (JSON.parse(changes!) as { id: string }).id
      await expect(
        owner.query('update payouts set partner_id = gen_random_uuid() where id = $1', [copy]),
      ).rejects.toMatchObject({ code: '23503', message: 'a payout stays in its wallet' })
    })
  })

  it('cannot be deleted by anybody while a payout of it is being written', async () => {
    const other = await ownerOf(test.database.url)
    try {
      await owner.rolledBack(async () => {
        await owner.query(COPY, copyOf(payoutIn.get('pending')!, { ...unseen, idempotency_key: freshKey() }))
        for (const change of ['delete from wallets', 'delete from ledger_accounts', 'delete from partners']) {
          await expect(other.query(change)).rejects.toThrow(
            /stays with its (ledger|log)|through entries only|violates foreign/,
          )
        }
      })
    } finally {
      await other.end()
    }
  })
})

describe('an Idempotency-Key', () => {
  it('belongs to one payout of its partner and environment', async () => {
    const refusal = await owner.refusal(COPY, copyOf(payoutIn.get('completed')!, {}))
    expect([refusal.code, refusal.constraint]).toEqual(['23505', 'payouts_idempotency_key'])
  })

  it.each(PAYOUT_STATUSES)('belongs to it for ever: also when the payout is %s', async (status) => {
    const { idempotency_key } = await readPayout(payoutIn.get(status)!)
    const refusal = await owner.refusal(COPY, copyOf(payoutIn.get('processing')!, { idempotency_key }))
    expect(refusal.constraint).toBe('payouts_idempotency_key')
  })

  it('is another in another environment and at another partner', async () => {
    const other = await aPartner(test)
    await owner.rolledBack(async () => {
      await owner.query(COPY, copyOf(payoutIn.get('completed')!, { environment: 'live', rail: 'provider_production' }))
      await owner.query(COPY, copyOf(payoutIn.get('completed')!, { partner_id: other.id }))
      const { idempotency_key } = await readPayout(payoutIn.get('completed')!)
      const [row] = await owner.query<{ count: string }>('select count(*) from payouts where idempotency_key = $1', [
        idempotency_key,
      ])
      expect(row!.count).toBe('3')
    })
  })

  it('is free again when its attempt came to nothing, and only then', async () => {
    const key = freshKey()
    const released = {
      surfaced_at: null,
      status: 'pending',
      send_state: 'rejected',
      released_at: '2026-07-01T00:00:00Z',
      idempotency_key: key,
    }
    await owner.rolledBack(async () => {
      await owner.query(COPY, copyOf(payoutIn.get('pending')!, released))
      await owner.query(COPY, copyOf(payoutIn.get('pending')!, released))
      await owner.query(COPY, copyOf(payoutIn.get('pending')!, { idempotency_key: key }))
      const again = owner.query(COPY, copyOf(payoutIn.get('pending')!, { idempotency_key: key }))
      await expect(again).rejects.toMatchObject({ constraint: 'payouts_idempotency_key' })
    })
  })

  it.each([
    'short',
    'x'.repeat(101),
    'with space',
    'ümlaut-key',
    'new\nline-key',
    'line-at-the-end\n',
    'a~tilde-key',
    '',
  ])('has the shape of one: not %j', async (key) => {
    expect((await owner.refusal(COPY, copyOf(payoutIn.get('pending')!, { idempotency_key: key }))).code).toBe('23514')
  })
})

describe('a row of payouts', () => {
  it.each([
    { changes: { fee_pence: 125 }, why: 'the parts of the fee add up to it' },
    { changes: { fee_in_transfer_pence: 34 }, why: 'whichever part is wrong' },
    { changes: { fee_on_invoice_pence: 90 }, why: 'this one too' },
    { changes: { fee_pence: 32, fee_in_transfer_pence: 33, fee_on_invoice_pence: -1 }, why: 'no part is negative' },
    { changes: { amount_pence: 99 }, why: 'no less than 1.00' },
    { changes: { amount_pence: 2_000_001 }, why: 'no more than 20000.00' },
    { changes: { wallet_sends_micro: 0 }, why: 'something is sent' },
    { changes: { gbp_per_usd: 0 }, why: 'a rate is positive' },
    { changes: { country: 'FR' }, why: 'only to GB' },
    { changes: { reference: 'x'.repeat(121) }, why: 'a reference has 120 characters' },
    { changes: { statement_reference: 'x'.repeat(19) }, why: 'a statement carries 18' },
    { changes: { account_last4: '123' }, why: 'four digits' },
    { changes: { account_last4: '12345678' }, why: 'and never the whole number' },
    { changes: { account_last4: '567٤' }, why: 'nor digits of another script' },
    { changes: { send_state: 'sending' }, why: 'what is seen has been sent or is in doubt' },
    { changes: { released_at: '2026-07-01T00:00:00Z' }, why: 'what is seen keeps its key' },
    { changes: { lease_token: randomUUID(), lease_until: null }, why: 'a lease ends' },
    { changes: { status: 'failed', failure_reason: null }, why: 'a failure has a reason' },
    { changes: { status: 'completed', completed_at: null }, why: 'an arrival has a moment' },
    { changes: { refund_state: 'maybe' }, why: 'a refund is due or done or none' },
    { changes: { idempotency_key: 'short' }, why: 'a key has eight characters' },
    { changes: { idempotency_key: 'k'.repeat(101) }, why: 'and no more than a hundred' },
    { changes: { idempotency_key: 'with a space' }, why: 'of those that keys are made of' },
    { changes: { fingerprint: String.raw`\x00` }, why: 'what was asked for has a whole fingerprint' },
    { changes: { recipient_fingerprint: String.raw`\x00` }, why: 'and so has whom it goes to' },
    { changes: { created_via: 'fax' }, why: 'it comes by the API or the dashboard' },
    { changes: { created_by: 'x'.repeat(255) }, why: 'of somebody with an address' },
    { changes: { warnings: {} }, why: 'warnings are a list' },
    { changes: { bank_sent_micro: -1 }, why: 'the bank takes nothing negative' },
    { changes: { surplus_micro: -1 }, why: 'nor is more than that left over' },
    { changes: { topped_up_micro: -1 }, why: 'nor added' },
    { changes: { adjustments: -1 }, why: 'adjustments are counted' },
    { changes: { bank_attempt: 0 }, why: 'attempts from the first' },
    { changes: { send_attempts: 0 }, why: 'also those to send it' },
    { changes: { endings_undone: 1 }, why: 'an ending that was undone had arrived' },
    { changes: { endings_undone: -1 }, why: 'and was undone once or more' },
    { changes: { debited_at: '2026-07-01T00:00:00Z' }, why: 'what was debited by mistake was not sent' },
  ])('$why ($changes)', async ({ changes }) => {
    const copy = copyOf(payoutIn.get('processing')!, { idempotency_key: freshKey(), ...changes })
    expect((await owner.refusal(COPY, copy)).code).toBe('23514')
  })

  it('that breaks none of these rules is accepted', async () => {
    await owner.rolledBack(async () => {
      const key = freshKey()
      await owner.query(COPY, copyOf(payoutIn.get('processing')!, { idempotency_key: key }))
      expect(await owner.query('select status from payouts where idempotency_key = $1', [key])).toEqual([
        { status: 'processing' },
      ])
    })
  })

  it.each([
    { changes: { rail: 'carrier_pigeon' }, why: 'that nobody knows' },
    { changes: { rail: 'provider_production' }, why: 'of the other environment' },
  ])('is on no rail $why', async ({ changes }) => {
    const copy = copyOf(payoutIn.get('processing')!, { idempotency_key: freshKey(), ...changes })
    expect((await owner.refusal(COPY, copy)).code).toBe('23503')
  })

  it('belongs to a wallet that exists', async () => {
    const copy = copyOf(payoutIn.get('processing')!, { partner_id: randomUUID() })
    expect((await owner.refusal(COPY, copy)).code).toBe('23503')
  })
})
