// What is worth a second look before money leaves: told on quote and payout, kept with the payout, and never a refusal.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { createOldPayoutMarker } from '../../src/domain/recipients/mark-old-payouts.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import {
  type PayoutBody,
  type TestPartner,
  aPartner,
  aRecipient,
  anIdempotencyKey,
  createPayout,
  get,
  post,
  sql,
} from '../support/fixtures.ts'
import { ask, signedIn } from '../support/sessions.ts'

const DAY = 24 * 3_600_000
const HERE = '31926810'
const ELSEWHERE = '87654324'

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())
beforeEach(async () => {
  partner = await aPartner(test)
})

interface Warned {
  readonly id: string
  readonly warnings: readonly { code: string; message: string; details: Record<string, unknown> }[]
}

const to = (account_number: string, first_name = 'Amara') => aRecipient({ account_number, first_name })

async function pay(recipient: unknown, body: PayoutBody = {}, headers = {}): Promise<Warned> {
  const reply = await createPayout(test, partner, { recipient, amount_gbp: '25.00', ...body }, headers)
  expect([200, 201]).toContain(reply.statusCode)
  return reply.json()
}

const codes = ({ warnings }: Warned) => warnings.map(({ code }) => code)

/** Until every payout has come to its end. */
async function settle(): Promise<void> {
  test.clock.advance(5_000)
  await test.follow()
}

describe('a payout', () => {
  it('says that nothing was paid to its account before, once', async () => {
    const first = await pay(to(HERE))
    expect(first.warnings).toEqual([
      {
        code: 'first_payment_to_account',
        message: 'First payment to this account. Check the details with the recipient.',
        details: { payout_id: null, account_last4: '6810', created_at: null },
      },
    ])
    expect(codes(await pay(to(HERE), { amount_gbp: '26.00' }))).toEqual([])
  })

  it('says that somebody paid before is paid at another account now, with four digits of the old one', async () => {
    const before = await pay(to(HERE))
    const changed = await pay(to(ELSEWHERE))
    expect(codes(changed)).toEqual(['recipient_account_changed', 'first_payment_to_account'])
    expect(changed.warnings[0]).toMatchObject({
      message: 'Different account from last time (ending 6810). Check the new one with the recipient by phone.',
      details: { payout_id: before.id, account_last4: '6810' },
    })
    expect(JSON.stringify(changed)).not.toContain(HERE)
    expect(codes(await pay(to(ELSEWHERE), { amount_gbp: '9.00' }))).toEqual([])
    expect(codes(await pay(to(HERE), { amount_gbp: '9.00' }))).toEqual([])
  })

  it.each(['  amara', 'ÀMARA', 'Amara '])('takes %j for the same person', async (spelling) => {
    await pay(to(HERE))
    expect(codes(await pay(to(ELSEWHERE, spelling)))).toContain('recipient_account_changed')
  })

  it('warns of a known account that is another person’s', async () => {
    await pay(to(HERE))
    await pay(to(ELSEWHERE, 'Bela'))
    // The bank keeps an account under one name and refuses the payout; the quote has warned of it before.
    const reply = await test.request({
      method: 'POST',
      url: '/v1/quotes',
      headers: { authorization: `Bearer ${partner.key}` },
      payload: { amount_gbp: '9.00', recipient: to(ELSEWHERE) },
    })
    expect(codes(reply.json())).toEqual(['recipient_account_changed'])
  })

  it('does not take a namesake at another sort code for the same account', async () => {
    await pay(to(HERE))
    const other = to(HERE)
    const reply = await pay({ ...other, bank: { ...other.bank, sort_code: '200000' } })
    expect(codes(reply)).toEqual(['recipient_account_changed', 'first_payment_to_account'])
  })

  it('says that the same amount went to the account within 7 days, whoever sent it', async () => {
    const before = await pay(to(HERE))
    const admin = await signedIn(test, partner)
    const twin = await ask(test, admin, {
      method: 'POST',
      url: '/v1/payouts?environment=sandbox',
      headers: { 'idempotency-key': anIdempotencyKey() },
      payload: { amount_gbp: '25.00', recipient: to(HERE, 'AMARA') },
    })
    expect(codes(twin.json())).toEqual(['possible_duplicate'])
    expect(twin.json().warnings[0].details).toMatchObject({ payout_id: before.id, account_last4: '6810' })
    expect(codes(await pay(to(HERE), { amount_gbp: '25.01' }))).toEqual([])
  })

  it('forgets the same amount after 7 days, but not the account', async () => {
    await pay(to(HERE))
    await settle()
    test.clock.advance(7 * DAY - 10_000)
    expect(codes(await pay(to(HERE)))).toEqual(['possible_duplicate'])
    await settle()
    test.clock.advance(7 * DAY)
    expect(codes(await pay(to(HERE)))).toEqual([])
  })

  it.each(['sandbox:fail', 'sandbox:cancel', 'sandbox:return'])(
    'does not count one that ended by %s',
    async (reference) => {
      await pay(to(HERE), { reference })
      // Completed first and returned a moment later: two looks.
      await settle()
      await settle()
      expect(codes(await pay(to(HERE)))).toEqual(['first_payment_to_account'])
      expect(codes(await pay(to(ELSEWHERE)))).toContain('recipient_account_changed')
    },
  )

  it.each(['sandbox:down', 'sandbox:reject'])('does not count one that was never sent: %s', async (reference) => {
    const refused = await createPayout(test, partner, { recipient: to(HERE), reference })
    expect(refused.statusCode).toBeGreaterThanOrEqual(422)
    expect(codes(await pay(to(HERE)))).toEqual(['first_payment_to_account'])
  })

  it('counts one of which the bank has not said yet', async () => {
    await pay(to(HERE), { reference: 'sandbox:late' })
    expect(codes(await pay(to(HERE)))).toEqual(['possible_duplicate'])
  })

  it('keeps what was said of it, whatever happens later', async () => {
    await pay(to(HERE))
    const key = { 'idempotency-key': anIdempotencyKey() }
    const changed = await pay(to(ELSEWHERE), {}, key)
    await settle()
    await pay(to(ELSEWHERE), { amount_gbp: '77.00' })
    const replayed = await pay(to(ELSEWHERE), {}, key)
    expect(replayed.warnings).toEqual(changed.warnings)
    expect((await get(test, partner, `/v1/payouts/${changed.id}`)).json().warnings).toEqual(changed.warnings)
    const listed: Warned[] = (await get(test, partner, '/v1/payouts')).json().data
    expect(listed.find(({ id }) => id === changed.id)?.warnings).toEqual(changed.warnings)
  })

  it('is judged anew when what was certainly not sent is asked for again', async () => {
    const key = { 'idempotency-key': anIdempotencyKey() }
    const body = { recipient: to(HERE), reference: 'sandbox:down' }
    expect((await createPayout(test, partner, body, key)).statusCode).toBe(502)
    const [{ first }] = (await sql<{ first: unknown }>(
      test,
      `select warnings as first from payouts where partner_id = $1`,
      [partner.id],
    )) as [{ first: unknown }]
    expect(first).toMatchObject([{ code: 'first_payment_to_account' }])
    await pay(to(HERE, 'AMARA'))
    expect((await createPayout(test, partner, body, key)).statusCode).toBe(502)
    const rows = await sql<{ warnings: unknown }>(
      test,
      `select warnings from payouts where partner_id = $1 and surfaced_at is null`,
      [partner.id],
    )
    expect(rows).toMatchObject([{ warnings: [{ code: 'possible_duplicate' }] }])
  })

  it('of two at once with different keys: one is told of the other, never neither', async () => {
    const both = await Promise.all([pay(to(HERE)), pay(to(HERE, 'AMARA'))])
    expect(both.flatMap(codes).toSorted()).toEqual(['first_payment_to_account', 'possible_duplicate'])
  })

  it('of ten at once: nine are told', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => pay(to(HERE))))
    expect(all.filter((each) => codes(each).includes('possible_duplicate'))).toHaveLength(9)
  })

  it('is not compared with another business’s, nor with another environment’s', async () => {
    await pay(to(HERE))
    partner = await aPartner(test)
    expect(codes(await pay(to(HERE)))).toEqual(['first_payment_to_account'])
  })

  it('leaves no mark when the wallet could not pay for it', async () => {
    partner = await aPartner(test, { usdc: '1.00' })
    expect((await createPayout(test, partner, { recipient: to(HERE) })).statusCode).toBe(402)
    const rows = await sql(test, 'select 1 from payout_recipients where partner_id = $1', [partner.id])
    expect(rows).toEqual([])
  })

  it('from before there were marks is marked by the worker, and counts from then on', async () => {
    await pay(to(HERE))
    await sql(
      test,
      'insert into payout_recipients_due select partner_id, environment, payout_id from payout_recipients',
    )
    await sql(test, 'delete from payout_recipients')
    const mark = createOldPayoutMarker(test.deps)
    while (await mark()) continue
    expect(await sql(test, 'select 1 from payout_recipients_due')).toEqual([])
    expect(codes(await pay(to(ELSEWHERE)))).toContain('recipient_account_changed')
    expect(codes(await pay(to(HERE)))).toEqual(['possible_duplicate'])
  })
})

describe('payouts from before there were marks', () => {
  it('are marked although some among them cannot be opened, which are told of once and marked when they can', async () => {
    const ids: string[] = []
    for (let made = 0; made < 5; made++) ids.push((await pay(to(HERE), { amount_gbp: `${made + 1}.00` })).id)
    const sealed = await sql<{ id: string; sealed: Buffer }>(
      test,
      'select id, recipient_sealed as sealed from payouts where partner_id = $1',
      [partner.id],
    )
    const put = async (id: string, value: Buffer) => {
      await sql(test, 'alter table payouts disable trigger guard_payout')
      await sql(test, 'update payouts set recipient_sealed = $2 where id = $1', [id, value])
      await sql(test, 'alter table payouts enable trigger guard_payout')
    }
    // As many at the front as a batch has.
    const broken = ids.toSorted().slice(0, 2)
    for (const id of broken) await put(id, Buffer.from('00', 'hex'))
    await sql(
      test,
      `insert into payout_recipients_due select partner_id, environment, payout_id from payout_recipients
        where partner_id = $1`,
      [partner.id],
    )
    await sql(test, 'delete from payout_recipients where partner_id = $1', [partner.id])
    const told: unknown[] = []
    const deps = { ...test.deps, onAlarm: (what: string, about: object) => told.push({ what, ...about }) }
    const mark = createOldPayoutMarker(deps, 2)
    const unmarked = async () =>
      (await sql<{ id: string }>(test, 'select payout_id as id from payout_recipients_due order by 1')).map(
        ({ id }) => id,
      )
    for (let look = 0; look < 3; look++) while (await mark()) continue
    expect(await unmarked()).toEqual(broken)
    expect(told).toEqual(
      broken.map((payoutId) => ({
        what: 'a payout’s recipient cannot be opened',
        partnerId: partner.id,
        environment: 'sandbox',
        payoutId,
      })),
    )
    for (const { id, sealed: value } of sealed) if (broken.includes(id)) await put(id, value)
    while (await mark()) continue
    expect(await unmarked()).toEqual([])
    const marked = await sql(test, 'select 1 from payout_recipients where partner_id = $1', [partner.id])
    expect(marked).toHaveLength(5)
  })
})

describe('a quote', () => {
  const quote = async (recipient: unknown, amount_gbp = '25.00') =>
    post(test, partner, '/v1/quotes', { amount_gbp, recipient })

  it('says the same of a recipient before anything is paid, and writes nothing', async () => {
    const before = await pay(to(HERE))
    const twin = (await quote(to(HERE))).json()
    expect(codes(twin)).toEqual(['possible_duplicate'])
    expect(twin.warnings[0].details.payout_id).toBe(before.id)
    expect(codes((await quote(to(ELSEWHERE))).json())).toEqual([
      'recipient_account_changed',
      'first_payment_to_account',
    ])
    const rows = await sql(test, 'select 1 from payout_recipients where partner_id = $1', [partner.id])
    expect(rows).toHaveLength(1)
  })

  it('needs no more of a recipient than the account', async () => {
    await pay(to(HERE))
    const { sort_code, account_number } = to(HERE).bank
    const reply = await quote({ bank: { sort_code, account_number } }, '12.00')
    expect(reply.statusCode).toBe(200)
    expect(reply.json().warnings).toEqual([])
  })

  it('has no warnings without a recipient, as ever', async () => {
    expect((await post(test, partner, '/v1/quotes', { amount_gbp: '25.00' })).json()).not.toHaveProperty('warnings')
  })

  it('tells a pair that cannot be, which sandbox accepts all the same', async () => {
    const impossible = {
      ...to('66374959'),
      bank: { bank_name: 'Co-op', sort_code: '089999', account_number: '66374959' },
    }
    const [warning] = (await quote(impossible)).json().warnings
    expect(warning).toMatchObject({
      code: 'account_check_failed',
      message: 'This sort code and account number cannot belong together. Check both with the recipient.',
    })
    expect(codes(await pay(impossible))).toEqual(['first_payment_to_account'])
  })

  it('refuses a recipient that is malformed, by its own name, and unknown fields as ever', async () => {
    const reply = await quote({ bank: { sort_code: '04-00-04', account_number: '1' } })
    expect([reply.statusCode, reply.json().error.code]).toEqual([422, 'invalid_recipient'])
    expect(reply.json().error.details.missing).toEqual([
      'recipient.bank.sort_code (6 digits)',
      'recipient.bank.account_number (8 digits)',
    ])
    expect((await quote({ ...to(HERE), phone: '1' })).json().error.code).toBe('invalid_recipient')
    expect((await quote({ first_name: 'Amara' })).json().error.code).toBe('invalid_recipient')
  })

  it('has no warnings for a member who may not pay', async () => {
    await pay(to(HERE))
    const request = {
      method: 'POST',
      url: '/v1/quotes',
      payload: { amount_gbp: '25.00', recipient: to(HERE) },
    } as const
    const viewer = await ask(test, await signedIn(test, partner, { role: 'viewer' }), request)
    expect(viewer.statusCode).toBe(200)
    expect(viewer.json()).not.toHaveProperty('warnings')
    const admin = await ask(test, await signedIn(test, partner), request)
    expect(codes(admin.json())).toEqual(['possible_duplicate'])
  })

  it('is about 200 recipients per day for one caller, and as many more as were paid', async () => {
    const about = (from: number, count: number) =>
      Promise.all(Array.from({ length: count }, (_, index) => quote(to(String(10_000_000 + from + index)))))
    const refusedOf = (replies: { statusCode: number }[]) =>
      replies.filter(({ statusCode }) => statusCode === 429).length
    // Ten in the morning, so that midnight is far away.
    test.clock.advance(DAY - (test.clock.now().getTime() % DAY) + (DAY * 10) / 24)
    const first = await about(0, 205)
    expect(refusedOf(first)).toBe(5)
    const refused = first.find(({ statusCode }) => statusCode === 429)!
    expect(refused.json().error).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('200 more recipients'),
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(6 * 3_600)
    // Neither the answer nor its being refused tells of an account that was paid.
    await pay(to(HERE))
    expect(refusedOf([await quote(to(ELSEWHERE)), await quote(to(HERE))])).toBe(1)
    await Promise.all([1, 2, 3].map((n) => pay(to(`1234567${n}`), { amount_gbp: '1.00' })))
    expect(refusedOf(await about(500, 5))).toBe(2)
    // The same again is no other question, a quote without a recipient none at all, and others ask for themselves.
    const known = first.findIndex(({ statusCode }) => statusCode === 200)
    expect(refusedOf(await about(known, 1))).toBe(0)
    expect((await post(test, partner, '/v1/quotes', { amount_gbp: '25.00' })).statusCode).toBe(200)
    const payload = { amount_gbp: '25.00', recipient: to(HERE) }
    const admin = await ask(test, await signedIn(test, partner), { method: 'POST', url: '/v1/quotes', payload })
    expect(admin.statusCode).toBe(200)
    test.clock.advance(DAY)
    expect(refusedOf(await about(900, 3))).toBe(0)
  })
})
