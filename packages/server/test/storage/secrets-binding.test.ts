// A database belongs to the secrets it was first started with; a process with others refuses to start.
import { randomBytes } from 'node:crypto'

import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { OtherSecretsError } from '../../src/bind-database.ts'
import { type Service, composeService } from '../../src/compose.ts'
import { systemClock } from '../../src/core/clock.ts'
import { type TestDatabase, cloneDatabase } from '../support/database.ts'
import { type Owner, PATIENT, ownerOf } from './owner.ts'

const someSecrets = () => ({ sealKey: randomBytes(32), fingerprintKey: randomBytes(32), metricsToken: null })
const compose = (url: string, secrets: ReturnType<typeof someSecrets>): Promise<Service> =>
  composeService({ databaseUrl: url, secrets, clock: systemClock, log: pino({ level: 'silent' }) })

let database: TestDatabase
let owner: Owner
beforeAll(async () => {
  database = await cloneDatabase()
  owner = await ownerOf(database.url)
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

const connections = async () =>
  (await owner.query(`select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`))
    .length

describe.sequential('a database', () => {
  const candidates = Array.from({ length: 6 }, someSecrets)
  let winner: (typeof candidates)[number]

  it('is bound to one of those who start at the same moment with different secrets', async () => {
    const outcomes = await Promise.allSettled(candidates.map((secrets) => compose(database.url, secrets)))
    const started = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(started).toHaveLength(1)
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
    for (const reason of refused) expect(reason).toBeInstanceOf(OtherSecretsError)
    winner = candidates[outcomes.findIndex(({ status }) => status === 'fulfilled')]!
    await started[0]!.close()
    expect(await owner.query('select only_row from installation')).toEqual([{ only_row: true }])
  })

  it('starts again with the same secrets, any number of times', async () => {
    const services = await Promise.all([compose(database.url, winner), compose(database.url, winner)])
    expect(services).toHaveLength(2)
    await Promise.all(services.map((service) => service.close()))
  })

  it.each([
    { which: 'the seal key', other: () => ({ ...winner, sealKey: randomBytes(32) }) },
    { which: 'the fingerprint key', other: () => ({ ...winner, fingerprintKey: randomBytes(32) }) },
  ])('refuses a process in which $which is another, says what to do, and keeps no connection', async ({ other }) => {
    const bound = await owner.query('select * from installation')
    await expect(compose(database.url, other())).rejects.toThrow(
      /^This database was set up with other secrets.*KESTREL_SEAL_KEY and KESTREL_FINGERPRINT_KEY/,
    )
    expect(await owner.query('select * from installation')).toEqual(bound)
    await expect.poll(connections, PATIENT).toBe(0)
  })

  it('does not keep the secrets themselves', async () => {
    const [row] = await owner.query<{ secrets_check: Buffer }>('select secrets_check from installation')
    for (const secret of [winner.sealKey, winner.fingerprintKey])
      expect(row!.secrets_check.includes(secret)).toBe(false)
  })

  it('is bound once', async () => {
    const refusal = await owner.refusal(`insert into installation values (true, '\\x00', now())`)
    expect(refusal.code).toBe('23505')
    const second = await owner.refusal(`insert into installation values (false, '\\x00', now())`)
    expect(second.code).toBe('23514')
  })
})
