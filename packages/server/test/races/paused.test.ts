// From the moment that somebody is told that payouts are paused, none is made: by neither of two processes, however many
// requests are on their way.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, anIdempotencyKey, inLive, sql } from '../support/fixtures.ts'
import { ask, signedIn } from '../support/sessions.ts'
import { type Owner, ownerOf } from '../storage/owner.ts'
import { type Instance, anotherInstance, firstInstance } from './instances.ts'
import { UNTOUCHED, payoutsOf, walletOf } from './wallet.ts'
import { untilWaiting } from './waiting.ts'

const CONNECTIONS = 64

let test: TestApp
let second: Instance
/** One holds a lock, the other looks at who waits, because a transaction sees that only once. */
let holder: Owner
let onlooker: Owner
beforeAll(async () => {
  test = await startTestApp()
  second = await anotherInstance(test)
  holder = await ownerOf(test.database.url)
  onlooker = await ownerOf(test.database.url)
})
afterAll(async () => {
  await holder.end()
  await onlooker.end()
  await second.close()
  await test.close()
})

const holdsOf = async ({ id }: TestPartner) => {
  const holds = `select count(*)::int as count from ledger_entries where partner_id = $1 and kind = 'hold'`
  return (await sql<{ count: number }>(test, holds, [id]))[0]!.count
}

describe('sixty-four connections to two processes', () => {
  it('make not one payout after a pause was answered, and as many as were answered before', async () => {
    const partner = await aPartner(test, { usdc: '1000000.00' })
    const admin = await signedIn(test, partner)
    const instances = [firstInstance(test), second]
    const answers: { status: number; code: string | null }[] = []
    const connection = async (nth: number) => {
      for (let isRefused = false; !isRefused;) {
        const reply = await instances[nth % 2]!.post(partner, anIdempotencyKey(), { amount_gbp: '1.00' })
        answers.push({ status: reply.statusCode, code: reply.json().error?.code ?? null })
        isRefused = reply.statusCode !== 201
      }
    }
    const all = Array.from({ length: CONNECTIONS }, (_, nth) => connection(nth))
    await expect.poll(() => answers.length).toBeGreaterThan(CONNECTIONS)
    const paused = await ask(test, admin, { method: 'POST', url: '/v1/payouts/pause' })
    const heldWhenAnswered = await holdsOf(partner)
    expect(paused.statusCode).toBe(200)
    await Promise.all(all)
    expect(await holdsOf(partner)).toBe(heldWhenAnswered)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toEqual(Array.from({ length: CONNECTIONS }, () => ({ status: 403, code: 'payouts_paused' })))
    const made = answers.length - refused.length
    expect(await payoutsOf(test, partner)).toEqual({ count: made, visible: made })
    expect(heldWhenAnswered).toBe(made)
    expect((await walletOf(test, partner))['held']).toBe(UNTOUCHED.held)
  })

  it('of whom half pause and half resume leave the switch as the last one said', async () => {
    const partner = await aPartner(test)
    const admin = await signedIn(test, partner)
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        ask(test, admin, { method: 'POST', url: `/v1/payouts/${nth % 2 === 0 ? 'pause' : 'resume'}` }),
      ),
    )
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    const [account, payout] = [
      await ask(test, admin, { url: '/v1/account' }),
      await second.post(partner, anIdempotencyKey()),
    ]
    expect(payout.statusCode).toBe(account.json().payouts_pause === null ? 201 : 403)
  })

  it('that resume live without a code while an admin pauses leave it paused', async () => {
    const partner = await aPartner(test)
    await inLive(test, partner, '1000.00')
    const [thief, admin] = [await signedIn(test, partner), await signedIn(test, partner)]
    const resume = () => ask(test, thief, { method: 'POST', url: '/v1/payouts/resume?environment=live' })
    // The pause waits for the wallet, and every attempt to resume for the pause: all have seen that nothing was paused.
    const { replies } = await holder.rolledBack(async () => {
      const held = `select 1 from ledger_accounts where partner_id = $1 and environment = 'live' for update`
      await holder.query(held, [partner.id])
      const pausing = ask(test, admin, { method: 'POST', url: '/v1/payouts/pause?environment=live' })
      await untilWaiting(onlooker, 1)
      const resuming = [resume(), resume(), resume()]
      await untilWaiting(onlooker, 4)
      return { replies: [pausing, ...resuming] }
    })
    const [paused, ...resumed] = await Promise.all(replies)
    expect(paused!.statusCode).toBe(200)
    for (const reply of resumed) {
      expect([reply.statusCode, reply.json().error?.code]).toEqual([422, 'confirm_code_required'])
    }
    expect((await ask(test, admin, { url: '/v1/account?environment=live' })).json().payouts_pause).not.toBeNull()
  })
})
