// Whoever asks for a payout is taken for who they were a moment ago, and the statement that writes the payout proves it. Whatever has
// changed meanwhile, in whichever process: nothing is paid and nothing is told by what was only assumed.
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import {
  type TestPartner,
  aPartner,
  aPayoutBody,
  anIdempotencyKey,
  balanceOf,
  createPayout,
  setBalance,
  sql,
} from '../support/fixtures.ts'

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
})
beforeEach(async () => {
  partner = await aPartner(test)
  // From now on this process knows the key's holder.
  await createPayout(test, partner)
})
afterAll(() => test.close())

const change = (text: string) => sql(test, text, [partner.id])
const traced = async () => {
  await test.deps.activity.flush()
  return (
    await sql<{ n: number }>(test, 'select count(*)::int as n from activity where partner_id = $1', [partner.id])
  )[0]!.n
}
const payouts = async () =>
  (await sql<{ n: number }>(test, 'select count(*)::int as n from payouts where partner_id = $1', [partner.id]))[0]!.n

async function lookUps(work: () => Promise<unknown>): Promise<string[]> {
  const lookedUp = vi.spyOn(test.deps.db.lookup, 'query')
  await work()
  const names = lookedUp.mock.calls.map(([{ name }]) => name).filter((name) => name.startsWith('key_'))
  lookedUp.mockRestore()
  return names
}

describe('a payout', () => {
  it('is made without looking its key up', async () => {
    expect(await lookUps(() => createPayout(test, partner))).toEqual([])
    expect(await payouts()).toBe(2)
  })

  it('that is repeated is told once its key was looked up', async () => {
    const key = { 'idempotency-key': anIdempotencyKey() }
    const first = await createPayout(test, partner, {}, key)
    let again: Awaited<ReturnType<typeof createPayout>>
    expect(await lookUps(async () => void (again = await createPayout(test, partner, {}, key)))).toEqual([
      'key_holder_version',
    ])
    expect([again!.statusCode, again!.json().id]).toEqual([200, first.json().id])
  })

  it('that is reserved and then refused by the bank was proved by what reserved it', async () => {
    let refused: Awaited<ReturnType<typeof createPayout>>
    const reject = async () => void (refused = await createPayout(test, partner, { reference: 'sandbox:reject' }))
    expect(await lookUps(reject)).toEqual([])
    expect(refused!.statusCode).toBe(422)
  })

  it('is priced by the plan as it is now', async () => {
    const fees = async () =>
      (
        await sql<{ fee: bigint }>(test, 'select fee_pence as fee from payouts where partner_id = $1 order by id', [
          partner.id,
        ])
      ).map(({ fee }) => fee)
    const [before] = await fees()
    await change('update plans set payout_fixed_pence = payout_fixed_pence + 7 where partner_id = $1')
    await createPayout(test, partner)
    expect(await lookUps(() => createPayout(test, partner))).toEqual([])
    expect(await fees()).toEqual([before, before! + 7n, before! + 7n])
  })

  it('is made as soon as it may be', async () => {
    await change(`update api_keys set scopes = '{read}' where partner_id = $1`)
    expect((await createPayout(test, partner)).statusCode).toBe(403)
    await change(`update api_keys set scopes = '{read,pay}' where partner_id = $1`)
    expect((await createPayout(test, partner)).statusCode).toBe(201)
    await change(`update api_keys set allowed_ips = '{203.0.113.0/24}' where partner_id = $1`)
    expect((await createPayout(test, partner)).statusCode).toBe(403)
    await change(`update api_keys set allowed_ips = null where partner_id = $1`)
    expect((await createPayout(test, partner)).statusCode).toBe(201)
  })
})

const CHANGES = [
  {
    what: 'a key that was revoked',
    text: 'update api_keys set revoked_at = now() where partner_id = $1',
    says: [401, 'unauthorized'],
  },
  {
    what: 'a key that has expired',
    text: `update api_keys set expires_at = created_at + interval '1 millisecond' where partner_id = $1`,
    says: [401, 'unauthorized'],
  },
  { what: 'a key that is gone', text: 'delete from api_keys where partner_id = $1', says: [401, 'unauthorized'] },
  {
    what: 'a key that may only read',
    text: `update api_keys set scopes = '{read}' where partner_id = $1`,
    says: [403, 'scope_missing'],
  },
  {
    what: 'a key for another network',
    text: `update api_keys set allowed_ips = '{203.0.113.0/24}' where partner_id = $1`,
    says: [403, 'address_not_allowed'],
  },
  {
    what: 'an account that was suspended',
    text: `update partners set status = 'suspended' where id = $1`,
    says: [403, 'partner_not_active'],
  },
] as const

const MADE_BEFORE = { 'idempotency-key': 'made-before' }
const REFUSED_BEFORE = { 'idempotency-key': 'refused-before' }

const ASKED = [
  { how: 'a new payout', ask: () => createPayout(test, partner) },
  { how: 'one that was made before', ask: () => createPayout(test, partner, {}, MADE_BEFORE) },
  {
    how: 'one that was made before, at another rate',
    ask: () => createPayout(test, partner, {}, { ...MADE_BEFORE, 'max-wallet-debit-usdc': '0.01' }),
  },
  { how: 'one that the bank has refused before', ask: () => createPayout(test, partner, {}, REFUSED_BEFORE) },
  { how: 'another with a key of one', ask: () => createPayout(test, partner, { amount_gbp: '31.00' }, MADE_BEFORE) },
  { how: 'more than the wallet has', ask: () => createPayout(test, partner, { amount_gbp: '19999.00' }) },
  { how: 'a body that is none', ask: () => createPayout(test, partner, { amount_gbp: 'much' }) },
  { how: 'no idempotency key', ask: () => createPayout(test, partner, {}, { 'idempotency-key': '' }) },
] as const

it('an account of which less may be paid at once is held to that', async () => {
  await change('update wallets set smallest_payout_pence = 100, largest_payout_pence = 2000 where partner_id = $1')
  expect((await createPayout(test, partner)).statusCode).toBe(422)
  await change('update wallets set largest_payout_pence = 2000000 where partner_id = $1')
  expect((await createPayout(test, partner)).statusCode).toBe(201)
})

it('whoever is refused is not told how busy the business is', async () => {
  await change('update api_keys set revoked_at = now() where partner_id = $1')
  const reply = await createPayout(test, partner)
  expect(Object.keys(reply.headers).filter((name) => name.startsWith('ratelimit'))).toEqual([])
})

it('a body that is still on its way is nobody’s until its key was looked up', async () => {
  await test.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = test.app.server.address() as AddressInfo
  await change('update api_keys set revoked_at = now() where partner_id = $1')
  const socket = connect(port, '127.0.0.1')
  socket.write(
    [
      'POST /v1/payouts HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${partner.key}`,
      'Idempotency-Key: on-its-way',
      'Content-Type: application/json',
      'Content-Length: 500',
      '',
      '{',
    ].join('\r\n'),
  )
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  expect(answer.toString()).toMatch(/^HTTP\/1.1 401 /)
})

describe.each(CHANGES)('$what', ({ text, says }) => {
  it.each(ASKED)('pays nothing and is told nothing but that, for $how', async ({ ask }) => {
    await createPayout(test, partner, {}, MADE_BEFORE)
    const refused = await createPayout(test, partner, { reference: 'sandbox:reject' }, REFUSED_BEFORE)
    expect(refused.statusCode).toBe(422)
    const [before, had, traces] = [await payouts(), await balanceOf(test, partner), await traced()]
    test.clock.advance(2_000)
    await change(text)
    const replies = [await ask(), ...(await Promise.all([ask(), ask()]))]
    for (const reply of replies) expect([reply.statusCode, reply.json().error?.code]).toEqual(says)
    // A key that opens nothing is in nobody's log.
    expect(says[0] !== 401 || (await traced()) === traces).toBe(true)
    expect((await lookUps(ask)).length).toBeGreaterThan(0)
    expect([await payouts(), await balanceOf(test, partner)]).toEqual([before, had])
  })
})

it('what is asked for by several at once, while the key is revoked, is paid or refused, and nothing after it', async () => {
  await setBalance(test, partner, '10000.00')
  const asked = Array.from({ length: 40 }, () => createPayout(test, partner))
  const revoked = change('update api_keys set revoked_at = now() where partner_id = $1')
  const [replies] = await Promise.all([Promise.all(asked), revoked])
  const made = await payouts()
  expect(replies.filter(({ statusCode }) => statusCode === 201)).toHaveLength(made - 1)
  expect(replies.filter(({ statusCode }) => statusCode === 401)).toHaveLength(40 - (made - 1))
  expect((await createPayout(test, partner)).statusCode).toBe(401)
  expect(await payouts()).toBe(made)
})

it('a body that cannot be read is told of where the caller is as assumed', async () => {
  const reply = await createPayout(test, partner, { ...aPayoutBody(), amount_gbp: 'much' })
  expect([reply.statusCode, reply.json().error?.code]).toEqual([422, 'invalid_amount'])
})
