// Recipients that are new to the bank are kept together, whoever's they are, and each as if it had come alone.
import { randomBytes } from 'node:crypto'

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import type { Scope } from '../../src/core/scope.ts'
import { type Registered, keepRecipient } from '../../src/domain/payouts/ask/keep-recipients.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { aPartner, sql } from '../support/fixtures.ts'
import { untilOneWaits } from '../support/until-one-waits.ts'

const KEEP = 'keep_bank_recipients'

let test: TestApp
let scopes: Scope[]
beforeAll(async () => {
  test = await startTestApp()
  const partners = [await aPartner(test), await aPartner(test)]
  scopes = partners.map(({ id }) => ({ partnerId: id, environment: 'sandbox' }))
})
afterAll(() => test.close())
afterEach(() => vi.restoreAllMocks())

const aRegistration = (scope: Scope, recipientRef: string, fingerprint = randomBytes(32)): Registered => ({
  scope,
  fingerprints: [fingerprint],
  recipientRef,
  at: test.clock.now(),
})
const keep = (registered: Registered) => keepRecipient(test.deps, registered)
const keptAs = async ({ fingerprints }: Registered) =>
  (
    await sql<{ ref: string }>(
      test,
      'select recipient_ref as ref from bank_recipients where recipient_fingerprint = any($1)',
      [fingerprints],
    )
  ).map(({ ref }) => ref)

describe('new recipients', () => {
  it('that come together go in together, each with its own id', async () => {
    const trips = vi.spyOn(test.deps.db, 'inOneTrip')
    const wanted = Array.from({ length: 30 }, (_, nth) => aRegistration(scopes[nth % 2]!, `account ${nth}`))
    expect(await Promise.all(wanted.map(keep))).toEqual(wanted.map(({ recipientRef }) => recipientRef))
    // The first finds nobody under way; all others wait for it.
    expect(trips.mock.calls.filter(([[first]]) => first![0].name === KEEP)).toHaveLength(2)
    for (const each of wanted) expect(await keptAs(each)).toEqual([each.recipientRef])
  })

  it('of which one was registered twice at once: both get the id that was kept, and another partner its own', async () => {
    const twice = randomBytes(32)
    const wanted = [
      aRegistration(scopes[0]!, 'first'),
      aRegistration(scopes[0]!, 'one', twice),
      aRegistration(scopes[0]!, 'other', twice),
      aRegistration(scopes[1]!, 'of another', twice),
    ]
    const [, one, other, ofAnother] = await Promise.all(wanted.map(keep))
    expect([one, ofAnother]).toEqual([other, 'of another'])
    expect(['one', 'other']).toContain(one)
  })

  it('that another process keeps just now have the id that it keeps', async () => {
    const wanted = aRegistration(scopes[0]!, 'ours')
    let ours: Promise<string> = Promise.resolve('')
    await test.owner.inTransaction(async (tx) => {
      await tx.query(
        {
          name: '',
          text: `insert into bank_recipients (partner_id, environment, recipient_fingerprint, recipient_ref, created_at)
                 values ($1, 'sandbox', $2, 'theirs', now())`,
        },
        [wanted.scope.partnerId, wanted.fingerprints[0]],
      )
      ours = keep(wanted)
      await untilOneWaits(test)
    })
    expect(await ours).toBe('theirs')
    expect(await keptAs(wanted)).toEqual(['theirs'])
  })

  it('that are known under an older key as well have the newest id', async () => {
    const older = { ...aRegistration(scopes[0]!, 'older'), at: new Date(test.clock.now().getTime() - 1_000) }
    await keep(older)
    const wanted = aRegistration(scopes[0]!, 'newer')
    const both = { ...wanted, fingerprints: [...wanted.fingerprints, ...older.fingerprints] }
    expect(await keep(both)).toBe('newer')
    expect(await keep({ ...both, recipientRef: 'again' })).toBe('newer')
  })

  it('of which one cannot be kept cost no other its own', async () => {
    const wanted = ['before', 'a\0b', 'after', 'last'].map((ref) => aRegistration(scopes[0]!, ref))
    const outcomes = await Promise.allSettled([keep(aRegistration(scopes[1]!, 'under way')), ...wanted.map(keep)])
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
    expect(await Promise.all(wanted.map(keptAs))).toEqual([['before'], [], ['after'], ['last']])
  })

  it('whose connection is cut are kept by nobody, and the next try keeps them', async () => {
    const wanted = aRegistration(scopes[0]!, 'ours')
    const trip = vi
      .spyOn(test.deps.db, 'inOneTrip')
      .mockRejectedValueOnce(new Error('Connection terminated unexpectedly'))
    await expect(keep(wanted)).rejects.toThrow('Connection terminated')
    expect(await keptAs(wanted)).toEqual([])
    trip.mockRestore()
    expect(await keep(wanted)).toBe('ours')
  })
})
