// Keys are changed while the service works: nothing is forgotten, nothing is paid twice, and the old keys are needed
// until everything is moved to the new ones, and not a moment longer.
import { randomBytes } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { keysInWords } from '../../src/cli/secrets-commands.ts'
import { keyId } from '../../src/core/seal.ts'
import type { DataKeys } from '../../src/domain/deps.ts'
import { queueMail } from '../../src/domain/mail/queue-mail.ts'
import { readMailbox } from '../../src/domain/mail/read-mailbox.ts'
import { followPayouts } from '../../src/domain/payouts/follow/follow-payouts.ts'
import { readKeyStatus } from '../../src/domain/secrets/key-status.ts'
import { listEndpoints, rotateSecret } from '../../src/domain/webhooks/change-endpoint.ts'
import { createEndpoint } from '../../src/domain/webhooks/create-endpoint.ts'
import { openSecret } from '../../src/domain/webhooks/endpoint-secret.ts'
import { reseal } from '../../src/domain/recipients/reseal.ts'
import { ownerOf } from '../storage/owner.ts'
import { TEST_SECRETS, type TestApp } from '../support/app.ts'
import { type BankApp, startBankApp } from '../support/bank-app.ts'
import {
  type PayoutBody,
  type TestPartner,
  aRecipient,
  anIdempotencyKey,
  balanceOf,
  createPayout,
  get,
  sql,
} from '../support/fixtures.ts'

const FLOAT = 10_000_000_000n
const TRANSFERS = 'POST /v0/transfers'
const REGISTER = 'POST /v0/customers/{customerId}/external_accounts'
const NEW = { sealKey: randomBytes(32), fingerprintKey: randomBytes(32) }
const BOTH = {
  ...NEW,
  olderSealKeys: [TEST_SECRETS.sealKey],
  olderFingerprintKeys: [TEST_SECRETS.fingerprintKey],
}
const id = (key: Buffer) => keyId(key).toString('hex')

const MAIL = {
  kind: 'notice',
  mail: { to: 'ops@thistle.test', subject: 'Hello', text: 'Hello.', html: '<p>Hello.</p>' },
  usefulUntil: null,
}

let before: BankApp
let after: TestApp
let partner: TestPartner
beforeAll(async () => {
  before = await startBankApp()
  partner = await before.aConnectedPartner()
})
afterAll(() => before.close())

interface Paid {
  readonly id: string
  readonly key: string
}

async function pay(test: TestApp, body: PayoutBody = {}): Promise<Paid> {
  const key = anIdempotencyKey()
  const created = await createPayout(test, partner, body, { 'idempotency-key': key })
  expect(created.statusCode).toBe(201)
  return { id: created.json<{ id: string }>().id, key }
}
const repeat = (paid: Paid, body: PayoutBody = {}) =>
  createPayout(after, partner, body, { 'idempotency-key': paid.key })
const fault = (mode: string) => before.bank.control('POST', '/faults', { route: TRANSFERS, mode, times: 1 })
const transfersOf = async (payoutId: string) =>
  (await before.bank.books()).transfers.filter((each) => each.client_reference_id === payoutId)
const warningsOf = async (body: PayoutBody) =>
  (await createPayout(after, partner, body)).json<{ warnings: { code: string; details: object }[] }>().warnings
const start = (options: { secrets: DataKeys }) => before.anotherInstance(options)

/** Rows of each key that has any, as the operator sees them. */
async function rows(purpose: 'seal' | 'fingerprint'): Promise<Record<string, number>> {
  const { keys } = await readKeyStatus(after.deps)
  return Object.fromEntries(keys.filter((key) => key.purpose === purpose).map((key) => [key.id, key.rows]))
}

/** As a version wrote them that knew one key only. */
async function asBeforeKeysHadIds(): Promise<void> {
  await sql(before, 'alter table payouts disable trigger guard_payout')
  await sql(
    before,
    `update payouts set fingerprint_key = null, recipient_sealed = '\\x01'::bytea || substring(recipient_sealed from 6)`,
  )
  await sql(before, 'alter table payouts enable trigger guard_payout')
  await sql(before, `update mails set sealed = '\\x01'::bytea || substring(sealed from 6)`)
  await sql(before, 'delete from secret_keys')
}

describe.sequential('after new keys were made', () => {
  let old: Paid
  let recent: Paid
  let inDoubt: string
  let alsoInDoubt: string
  let count = 0

  beforeAll(async () => {
    old = await pay(before)
    await pay(before, { amount_gbp: '11.00', recipient: aRecipient({ first_name: 'Elsewhere' }) })
    await before.deps.db.inTransaction(async (tx) => queueMail(tx, before.deps, MAIL))
    await asBeforeKeysHadIds()
    // The next start finds them; until then this process goes on with its one key.
    recent = await pay(before, { amount_gbp: '12.00' })
    await fault('reset_after')
    inDoubt = (await pay(before, { amount_gbp: '13.00' })).id
    await fault('reset_before')
    alsoInDoubt = (await pay(before, { amount_gbp: '14.00' })).id
    after = await start({ secrets: BOTH })
    count = (await sql<{ n: number }>(before, 'select count(*)::int as n from payouts'))[0]!.n
  })

  it('rows say which key they need, and a process with the old keys alone is not ready and says why', async () => {
    expect(count).toBe(5)
    expect(await rows('fingerprint')).toEqual({ [id(TEST_SECRETS.fingerprintKey)]: 5, [id(NEW.fingerprintKey)]: 0 })
    expect((await readKeyStatus(after.deps)).isMoving).toBe(true)
    const problems = (await before.app.inject('/readyz')).json<{ problems: Record<string, string> }>().problems
    expect(problems['keys']).toContain(`This database has a newer seal key, ${id(NEW.sealKey)},`)
    expect((await after.app.inject('/readyz')).statusCode).toBe(200)
  })

  it('a payout in doubt is followed to its end, sent once', async () => {
    await before.moveClocks(2_000)
    await followPayouts(after.deps)
    await before.moveClocks(5_000)
    await followPayouts(after.deps)
    for (const each of [inDoubt, alsoInDoubt]) expect(await transfersOf(each)).toHaveLength(1)
    expect(await sql(after, `select 1 from payouts where send_state <> 'accepted'`)).toEqual([])
  })

  const recognised = async () => {
    const balance = await balanceOf(after, partner)
    for (const [paid, body] of [
      [old, {}],
      [recent, { amount_gbp: '12.00' }],
    ] as const) {
      const replay = await repeat(paid, body)
      expect([replay.statusCode, replay.json<{ id: string }>().id]).toEqual([200, paid.id])
      const other = await repeat(paid, {
        ...body,
        reference: 'Another',
        recipient: { ...aRecipient(), first_name: 'Eve' },
      })
      expect([other.statusCode, other.json()]).toMatchObject([
        422,
        { error: { code: 'idempotency_key_reused', details: { fields: ['recipient.first_name', 'reference'] } } },
      ])
    }
    expect(await balanceOf(after, partner)).toBe(balance)
  }

  const warned = async (otherAccount: string) => {
    const [duplicate] = await warningsOf({})
    expect(duplicate).toMatchObject({ code: 'possible_duplicate' })
    const [changed] = await warningsOf({
      amount_gbp: '15.00',
      recipient: aRecipient({ first_name: 'Elsewhere', account_number: otherAccount }),
    })
    expect(changed).toMatchObject({ code: 'recipient_account_changed' })
  }

  it('a repeated request is recognised, and another under its key refused with its fields', async () => {
    await recognised()
    for (const paid of [old, recent]) expect(await transfersOf(paid.id)).toHaveLength(1)
  })

  it('a duplicate and another account are warned of, and the bank is not told of a recipient again', async () => {
    const asked = (await before.bank.requests(REGISTER)).length
    await pay(after, { amount_gbp: '16.00' })
    expect((await before.bank.requests(REGISTER)).length).toBe(asked)
    const [first] = await warningsOf({ amount_gbp: '13.00' })
    expect(first).toMatchObject({ code: 'possible_duplicate', details: { payout_id: inDoubt } })
    await warned('31926819')
  })

  it('a start without an old key is refused, and says how many rows need which', async () => {
    await expect(start({ secrets: { ...BOTH, olderSealKeys: [] } })).rejects.toThrow(
      new RegExp(`^\\d+ rows still need the seal key ${id(TEST_SECRETS.sealKey)}, .*KESTREL_SEAL_KEYS_OLD`),
    )
    await expect(start({ secrets: { ...BOTH, olderFingerprintKeys: [] } })).rejects.toThrow(
      new RegExp(`^5 rows still need the fingerprint key ${id(TEST_SECRETS.fingerprintKey)}, `),
    )
    await expect(start({ secrets: TEST_SECRETS })).rejects.toThrow('This database has a newer seal key')
  })

  it('moving to the new ones is killed in the middle, and goes on where it was', async () => {
    const last = `select id from payouts where id = (select id from payouts order by id limit 1 offset 4) for update`
    const holder = await ownerOf(before.database.ownerUrl)
    await holder.query('begin')
    await holder.query(last)
    expect(await reseal(after.deps, 2)).toBe(true)
    expect(await reseal(after.deps, 2)).toBe(true)
    const killed = reseal(after.deps, 2).catch((error: unknown) => error)
    await expect
      .poll(() =>
        sql(
          before,
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like '%for no key update%'`,
        ),
      )
      .toHaveLength(1)
    expect(await killed).toBeInstanceOf(Error)
    await holder.query('rollback')
    await holder.end()
    expect((await rows('fingerprint'))[id(TEST_SECRETS.fingerprintKey)]).toBe(1)
    await recognised()
  })

  it('a payout that cannot be opened stays as it is and is told of, and the others are moved', async () => {
    const [row] = await sql<{ sealed: Buffer }>(
      before,
      'select recipient_sealed as sealed from payouts where id = $1',
      [alsoInDoubt],
    )
    const put = async (sealed: Buffer) => {
      await sql(before, 'alter table payouts disable trigger guard_payout')
      await sql(before, 'update payouts set recipient_sealed = $2 where id = $1', [alsoInDoubt, sealed])
      await sql(before, 'alter table payouts enable trigger guard_payout')
    }
    const broken = Buffer.from(row!.sealed)
    broken[broken.length - 1]! ^= 1
    await put(broken)
    while (await reseal(after.deps, 2));
    expect(before.alarms.filter(({ about }) => about['payoutId'] === alsoInDoubt)).not.toEqual([])
    expect((await rows('seal'))[id(TEST_SECRETS.sealKey)]).toBe(1)
    await expect(start({ secrets: { ...BOTH, olderSealKeys: [] } })).rejects.toThrow('1 row still needs the seal key')
    await put(row!.sealed)
  })

  it('all is moved by two workers at once, and then there is nothing to do', async () => {
    // A start looks through everything once more.
    const another = await start({ secrets: BOTH })
    const work = async (test: TestApp) => {
      while (await reseal(test.deps, 2));
    }
    const scope = { partnerId: partner.id, environment: 'sandbox' } as const
    const wanted = { url: 'https://hooks.thistle.example/', description: null, events: ['*'], by: 'finance' }
    const { endpoint, secret } = await createEndpoint(before.deps, scope, wanted)
    await rotateSecret(before.deps, scope, {
      id: endpoint.id,
      graceSeconds: 3_600,
      notice: { by: 'finance', url: 'https://kestrel.test/' },
    })
    expect((await rows('seal'))[id(TEST_SECRETS.sealKey)]).toBeGreaterThanOrEqual(2)
    await Promise.all([work(after), work(another)])
    await expect.poll(() => work(after).then(() => readKeyStatus(after.deps))).toMatchObject({ isMoving: false })
    expect((await rows('seal'))[id(TEST_SECRETS.sealKey)]).toBe(0)
    const [moved] = await listEndpoints(after.deps, scope)
    expect(openSecret(NEW, moved!.previousSecretSealed!, endpoint.id)).toBe(secret)
    expect((await rows('fingerprint'))[id(TEST_SECRETS.fingerprintKey)]).toBe(0)
    expect(await reseal(after.deps)).toBe(false)
    expect(await sql(after, `select 1 from bank_recipients`)).toHaveLength(3)
  })

  it('the old keys are not needed any more: for requests, warnings, recipients at the bank and mail', async () => {
    after = await start({ secrets: NEW })
    const { keys } = await readKeyStatus(after.deps)
    expect(keys.map(({ state, isHere }) => [state, isHere])).toEqual([
      ['newest', true],
      ['retired', false],
      ['newest', true],
      ['retired', false],
    ])
    await recognised()
    const asked = (await before.bank.requests(REGISTER)).length
    await pay(after, { amount_gbp: '17.00' })
    expect((await before.bank.requests(REGISTER)).length).toBe(asked)
    await warned('70872490')
    expect(await readMailbox(after.deps)).toMatchObject([MAIL.mail])
    expect(await balanceOf(after, partner)).toBeLessThan(FLOAT)
    expect((await get(after, partner, '/v1/recipients')).statusCode).toBe(200)
  })

  it('a key that was retired is not used again, and strangers are refused as ever', async () => {
    const back = {
      ...TEST_SECRETS,
      olderSealKeys: [NEW.sealKey],
      olderFingerprintKeys: [NEW.fingerprintKey],
    }
    await expect(start({ secrets: back })).rejects.toThrow(`key ${id(TEST_SECRETS.fingerprintKey)} was retired`)
    const strange = { sealKey: randomBytes(32), fingerprintKey: randomBytes(32) }
    await expect(start({ secrets: strange })).rejects.toThrow('This database was set up with other secrets')
  })
})

describe('keys that were changed twice before a start', () => {
  it('are told apart: those in between are never used, and nothing is said of their rows', async () => {
    const [skipped, next] = [randomBytes(32), randomBytes(32)]
    const given = { ...NEW, sealKey: next, olderSealKeys: [skipped, NEW.sealKey] }
    const status = await readKeyStatus(after.deps, given)
    expect(status.keys.filter(({ isHere }) => isHere).map((key) => [key.id, key.state])).toEqual([
      [id(next), 'new'],
      [id(skipped), 'unused'],
      [id(NEW.sealKey), 'newest'],
      [id(NEW.fingerprintKey), 'newest'],
    ])
    expect(keysInWords(status, false)).toEqual([
      `seal         ${id(next)}  used from the next start`,
      `seal         ${id(skipped)}  never used: no start has had it as the newest`,
      expect.stringMatching(`^seal         ${id(NEW.sealKey)}  newest: \\d+ rows need it$`),
      `seal         ${id(TEST_SECRETS.sealKey)}  retired: 0 rows need it`,
      expect.stringMatching(`^fingerprint  ${id(NEW.fingerprintKey)}  newest: \\d+ rows need it$`),
      `fingerprint  ${id(TEST_SECRETS.fingerprintKey)}  retired: 0 rows need it`,
      'No row needs an older key.',
      'Keys that were never used are needed by nothing: kestrel secrets forget',
    ])
    expect(keysInWords(status, true).at(-1)).toContain('unless a process is still to have one as its own')
  })
})

describe.sequential('one of the two keys', () => {
  let current: DataKeys = NEW
  it.each([
    { which: 'seal', fresh: () => ({ ...current, sealKey: randomBytes(32), olderSealKeys: [current.sealKey] }) },
    {
      which: 'fingerprint',
      fresh: () => ({
        ...current,
        fingerprintKey: randomBytes(32),
        olderFingerprintKeys: [current.fingerprintKey],
      }),
    },
  ])('is changed alone: the $which key', async ({ fresh }) => {
    current = fresh()
    after = await start({ secrets: current })
    while (await reseal(after.deps));
    const { keys, isMoving } = await readKeyStatus(after.deps)
    expect(isMoving).toBe(false)
    expect(keys.filter(({ state, rows: needed }) => state !== 'newest' && needed > 0)).toEqual([])
  })
})
