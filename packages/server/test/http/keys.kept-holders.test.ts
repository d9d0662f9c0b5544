// What is said of a key's holder is kept from look-up to look-up, and never told once it has changed: whatever it is, whoever has
// changed it in which process, each look-up that follows tells it.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { type FindHolder, sharedHolders } from '../../src/domain/api-keys/authenticate-key.ts'
import { type Plan } from '../../src/core/plan.ts'
import { pence } from '../../src/core/money.ts'
import { keyHash } from '../../src/domain/api-keys/key-format.ts'
import { setPlan } from '../../src/domain/partners/set-plan.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, sql } from '../support/fixtures.ts'

let test: TestApp
let partner: TestPartner
let find: FindHolder
beforeAll(async () => {
  test = await startTestApp()
})
beforeEach(async () => {
  partner = await aPartner(test)
  find = sharedHolders(test.deps).find
})
afterAll(() => test.close())

const holder = (of = partner) => find(keyHash(of.key))
/** Names of the statements that a look-up needs. */
async function asked(of: readonly TestPartner[] = [partner]): Promise<string[]> {
  const lookedUp = vi.spyOn(test.deps.db.lookup, 'query')
  await Promise.all(of.map(holder))
  const names = lookedUp.mock.calls.map(([{ name }]) => name)
  lookedUp.mockRestore()
  return names
}

const PLAN = `insert into plans select (jsonb_populate_record(p, jsonb_build_object('payout_fixed_pence', 77, 'valid_from', $2::timestamptz))).*
  from plans p where partner_id = $1`

const LATER_MS = 60_000

describe('a holder', () => {
  it('is read once, and after that only its version, for as long as it is the same', async () => {
    const others = [await aPartner(test), await aPartner(test)]
    expect(await asked()).toEqual(['key_holder'])
    expect(await asked()).toEqual(['key_holder_version'])
    expect(await holder()).toBe(await holder())
    expect(await asked([partner, ...others])).toEqual(['key_holder_version', 'key_holders'])
    expect(await asked([partner, ...others])).toEqual(['key_holder_versions'])
  })

  it('is the same after it was used', async () => {
    const before = await holder()
    await sql(test, `update api_keys set last_used_at = now(), last_used_ip = '203.0.113.9' where partner_id = $1`, [
      partner.id,
    ])
    expect(await holder()).toBe(before)
  })

  it.each([
    {
      what: 'its networks',
      change: `update api_keys set allowed_ips = '{203.0.113.0/24}' where partner_id = $1`,
      to: { allowedIps: ['203.0.113.0/24'] },
    },
    {
      what: 'those who share its limits',
      change: `update api_keys set spender_id = '00000000-0000-4000-8000-000000000001' where partner_id = $1`,
      to: { spenderId: '00000000-0000-4000-8000-000000000001' },
    },
    {
      what: 'its scopes',
      change: `update api_keys set scopes = '{read}' where partner_id = $1`,
      to: { scopes: ['read'] },
    },
    {
      what: 'its standing',
      change: `update partners set status = 'suspended' where id = $1`,
      to: { status: 'suspended' },
    },
    {
      what: 'its wallet',
      change: `update wallets set has_spending_limits = true where partner_id = $1`,
      to: { hasSpendingLimits: true },
    },
    {
      what: 'its plan, in place',
      change: 'update plans set payout_fixed_pence = 77 where partner_id = $1',
      to: { payoutFixed: 77n },
    },
  ])('is told with $what as it is now, also beside others', async ({ change, to }) => {
    const other = await aPartner(test)
    const before = await holder()
    await holder(other)
    expect(before).not.toMatchObject(to)
    await sql(test, change, [partner.id])
    const [now, beside] = await Promise.all([holder(), holder(other)])
    expect(now).toMatchObject(to)
    expect(beside).toMatchObject({ id: other.id })
    expect(await asked()).toEqual(['key_holder_version'])
  })

  it('is told with a plan from the moment on from which that is valid, although nothing is written then', async () => {
    await sql(test, PLAN, [partner.id, new Date(test.clock.now().getTime() + 60_000)])
    const before = await holder()
    expect(before!.payoutFixed).not.toBe(77n)
    test.clock.advance(60_000)
    expect((await holder())!.payoutFixed).toBe(77n)
  })

  it('is told with each plan from its beginning on, also where one command has written it and the one before', async () => {
    const { slug } = (await holder())!
    const prices = (changes: Partial<Plan>, begins: Date | null) => setPlan(test.deps, slug, { changes, from: begins })
    const from = new Date(test.clock.now().getTime() + LATER_MS)
    await prices({ payoutFixed: pence(77n) }, from)
    await prices({ bankFixed: pence(33n) }, null)
    const before = (await holder())!
    expect([before.payoutFixed, before.bankFixed]).not.toContain(77n)
    expect(before.bankFixed).toBe(33n)
    test.clock.advance(LATER_MS)
    expect(await holder()).toMatchObject({ payoutFixed: 77n, bankFixed: 33n })
    test.clock.advance(-LATER_MS)
    expect(await holder()).toEqual(before)
  })

  it.each([
    { why: 'it was revoked', change: 'update api_keys set revoked_at = now() where partner_id = $1' },
    {
      why: 'it has expired',
      change: `update api_keys set expires_at = created_at + interval '1 second' where partner_id = $1`,
    },
    { why: 'it is there no more', change: 'delete from api_keys where partner_id = $1' },
  ])('is nobody once $why', async ({ change }) => {
    expect(await holder()).toMatchObject({ id: partner.id })
    test.clock.advance(2_000)
    await sql(test, change, [partner.id])
    expect(await holder()).toBeNull()
    expect(await holder()).toBeNull()
  })
})
