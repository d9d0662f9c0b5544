// A wallet that somebody has locked holds up no news of anybody else's payouts, whichever way it comes. Its own is heard once the
// lock is gone.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { after } from '../../src/core/clock.ts'
import { transfersApplier } from '../../src/domain/banking/feeds/apply-transfers.ts'
import { handleBankEvents } from '../../src/domain/banking/feeds/bank-events.ts'
import type { WalletPatience } from '../../src/domain/banking/feeds/wallet-patience.ts'
import { sweepTransfers } from '../../src/domain/banking/feeds/sweep-transfers.ts'
import { keepWaitingRows, takeDueRows } from '../../src/storage/bank-rows-waiting.ts'
import { wasKeptWaiting } from '../../src/storage/database.ts'
import { type Owner, ownerOf } from '../storage/owner.ts'
import { type BankApp, startBankApp } from '../support/bank-app.ts'
import { keepMessages } from '../support/bank-message.ts'
import { type TestPartner, createPayout, sql } from '../support/fixtures.ts'

const OF_EACH = 12
const DAY_MS = 86_400_000
const LOCK = `select 1 from ledger_accounts
  where partner_id = $1 and environment = 'sandbox' and account = 'available' for no key update`

let test: BankApp
let owner: Owner
let partners: readonly TestPartner[]
let refs: readonly string[]
beforeAll(async () => {
  test = await startBankApp({})
  owner = await ownerOf(test.database.url)
  await test.bank.standStill()
})
beforeEach(async () => {
  partners = await test.connectedPartners(2)
  await Promise.all(partners.flatMap((each) => Array.from({ length: OF_EACH }, () => createPayout(test, each))))
  const made = await sql<{ ref: string }>(
    test,
    'select provider_ref as ref from payouts where partner_id = any($1) order by id',
    [partners.map(({ id }) => id)],
  )
  refs = made.map(({ ref }) => ref)
  await Promise.all(refs.map((ref) => test.bank.control('POST', `/transfers/${ref}/settle`)))
})
afterAll(async () => {
  await owner.end()
  await test.close()
})

const completed = () =>
  Promise.all(
    partners.map(async ({ id }) => {
      const rows = await sql(test, `select from payouts where partner_id = $1 and status = 'completed'`, [id])
      return rows.length
    }),
  )
const waiting = async () => {
  const rows = await sql<{ reason: string }>(test, `select reason from bank_rows_waiting where feed = 'transfers'`)
  return rows.map(({ reason }) => reason)
}
const unhandled = async () => (await sql(test, 'select from bank_events where handled_at is null')).length

const whileTheFirstIsLocked = <T>(work: () => Promise<T>) =>
  owner.rolledBack(async () => {
    await owner.query(LOCK, [partners[0]!.id])
    return work()
  })

async function expectAllAfterwards() {
  expect(await completed()).toEqual([0, OF_EACH])
  expect(await waiting()).toEqual(Array.from({ length: OF_EACH }, () => 'locked'))
  await sweepTransfers(test.deps, 'sandbox')
  expect(await completed()).toEqual([OF_EACH, OF_EACH])
  expect([await waiting(), test.alarms]).toEqual([[], []])
}

describe('a locked wallet', () => {
  it.each([
    { way: 'the list has shown', happenedAt: () => test.clock.now() },
    { way: 'are read by their ids', happenedAt: () => null },
  ])('holds up no message whose transfers $way', async ({ happenedAt }) => {
    const told = refs.map((objectRef) => ({ eventId: `of ${objectRef}`, objectRef, happenedAt: happenedAt() }))
    await keepMessages(test.deps, told)
    await whileTheFirstIsLocked(() => handleBankEvents(test.deps))
    expect(await unhandled()).toBe(0)
    await expectAllAfterwards()
  })

  it('that nobody has told of is waited for by nobody who was: shortly, and once all that was named is dealt with', async () => {
    const [own, others] = [partners[1]!, partners[0]!]
    const named = await sql<{ objectRef: string }>(
      test,
      'select provider_ref as "objectRef" from payouts where partner_id = $1',
      [own.id],
    )
    const tell = (what: string) =>
      keepMessages(
        test.deps,
        named.map((each) => ({ ...each, eventId: `${what} ${each.objectRef}`, happenedAt: test.clock.now() })),
      )
    const { db } = test.deps
    const inTransaction = db.inTransaction.bind(db)
    /** How many messages were not handled yet whenever something had waited for a lock in vain. */
    const unhandledThen: number[] = []
    const writing = vi.spyOn(db, 'inTransaction').mockImplementation(async (work) => {
      try {
        return await inTransaction(work)
      } catch (error) {
        if (wasKeptWaiting(error)) unhandledThen.push(await unhandled())
        throw error
      }
    })
    await whileTheFirstIsLocked(async () => {
      await tell('first')
      await handleBankEvents(test.deps)
      expect(await completed()).toEqual([0, OF_EACH])
      await tell('the same again')
      await handleBankEvents(test.deps)
      expect(unhandledThen).toEqual([0])
      await Promise.all(refs.map((ref) => test.bank.control('POST', `/transfers/${ref}/return`)))
      await tell('second')
      await handleBankEvents(test.deps)
      expect(unhandledThen).toEqual([0, 0])
      // It is in nobody's way, and has its own message.
      expect(await waiting()).toEqual([])
    })
    writing.mockRestore()
    await sweepTransfers(test.deps, 'sandbox')
    const ended = await sql<{ status: string }>(
      test,
      'select distinct status from payouts where partner_id = any($1)',
      [[own.id, others.id]],
    )
    expect(ended).toEqual([{ status: 'returned' }])
  })

  it('is heard of by the next message once it is free, however lately it was locked', async () => {
    const [{ id }] = partners as [TestPartner]
    const own = await sql<{ objectRef: string }>(
      test,
      'select provider_ref as "objectRef" from payouts where partner_id = $1',
      [id],
    )
    const tell = (what: string) =>
      keepMessages(
        test.deps,
        own.map((each) => ({ ...each, eventId: `${what} ${each.objectRef}`, happenedAt: test.clock.now() })),
      )
    await whileTheFirstIsLocked(async () => {
      await tell('locked')
      await handleBankEvents(test.deps)
    })
    expect(await waiting()).toEqual(Array.from({ length: OF_EACH }, () => 'locked'))
    await tell('free')
    await handleBankEvents(test.deps)
    expect([await completed(), await unhandled()]).toEqual([[OF_EACH, OF_EACH], 0])
    await sweepTransfers(test.deps, 'sandbox')
    expect([await waiting(), test.alarms]).toEqual([[], []])
  })

  it('is waited for once in a reading, in however many parts that comes', async () => {
    const rail = test.deps.rails[test.deps.bankRails.sandbox]!
    const listed = (await Promise.all(refs.map((ref) => rail.readListed(ref)))).filter((each) => each !== null)
    const [first, second] = [listed.filter((_, nth) => nth % 2 === 0), listed.filter((_, nth) => nth % 2 === 1)]
    const writing = vi.spyOn(test.deps.db, 'inTransaction')
    const apply = transfersApplier(test.deps, 'sandbox')
    const left = await whileTheFirstIsLocked(async () => {
      const [one, tries] = [await apply(first), writing.mock.calls.length]
      const other = await apply(second)
      // Only for the wallet that is not locked.
      expect(writing.mock.calls.length - tries).toBeLessThan(tries)
      return [...one, ...other]
    })
    writing.mockRestore()
    expect(left.map(({ reason }) => reason)).toEqual(Array.from({ length: OF_EACH }, () => 'locked'))
    expect(await completed()).toEqual([0, OF_EACH])
    await transfersApplier(test.deps, 'sandbox')(listed)
    expect(await completed()).toEqual([OF_EACH, OF_EACH])
  })

  it('of which nobody has the patience to ask is not said to have been asked', async () => {
    const rail = test.deps.rails[test.deps.bankRails.sandbox]!
    const listed = (await Promise.all(refs.map((ref) => rail.readListed(ref)))).filter((each) => each !== null)
    const tried = vi.fn<WalletPatience['tried']>()
    const left = await transfersApplier(test.deps, 'sandbox', { for: () => 'none', tried })(listed)
    expect([left.length, new Set(left.map(({ reason }) => reason))]).toEqual([2 * OF_EACH, new Set(['locked'])])
    expect(tried).not.toHaveBeenCalled()
  })

  it('makes nobody hear again of what was told before it was locked, and is looked for less and less often', async () => {
    const kept = (reason: 'failed' | 'locked', state: string | null = null) =>
      test.deps.db.inTransaction((tx) => {
        const rows = [{ ref: 'a transfer', reason, state, since: after(test.clock.now(), -8 * DAY_MS) }]
        return keepWaitingRows(tx, 'sandbox', 'transfers', { rows, now: test.clock.now() })
      })
    const due = () => test.deps.db.inTransaction((tx) => takeDueRows(tx, 'sandbox', 'transfers', test.clock.now()))
    expect([...(await kept('failed'))]).toEqual(['a transfer'])
    for (const reason of ['locked', 'failed', 'locked'] as const) expect([...(await kept(reason))]).toEqual([])
    expect(await waiting()).toEqual(['failed'])
    await sql(test, 'delete from bank_rows_waiting')
    await kept('locked')
    const seconds: number[] = []
    for (let passed = 0; passed <= 40; passed++) {
      if ((await due()) !== null) seconds.push(passed)
      test.clock.advance(1_000)
    }
    expect(seconds).toEqual([0, 5, 15, 35])
    await sql(test, 'delete from bank_rows_waiting')
  })

  it('is not taken for free by what is recorded already', async () => {
    const rail = test.deps.rails[test.deps.bankRails.sandbox]!
    const listed = (await Promise.all(refs.map((ref) => rail.readListed(ref)))).filter((each) => each !== null)
    await transfersApplier(test.deps, 'sandbox')(listed)
    const tried = vi.fn<WalletPatience['tried']>()
    const again = transfersApplier(test.deps, 'sandbox', { for: () => 'usual', tried })
    expect(await whileTheFirstIsLocked(() => again(listed))).toEqual([])
    expect(tried).not.toHaveBeenCalled()
  })

  it('does not end the reading of the list', async () => {
    expect(await whileTheFirstIsLocked(() => sweepTransfers(test.deps, 'sandbox'))).toBeGreaterThanOrEqual(2 * OF_EACH)
    await expectAllAfterwards()
  })
})
