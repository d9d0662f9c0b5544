// The program as roles: `kestrel api` and `kestrel worker`, processes of their own on one database.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Home, aHome, freePort, launch, run, serveOn, until } from './program.ts'
import { createPartner, postPayout, sandboxWallet } from './requests.ts'

let home: Home
let partner: { id: string; key: string }
beforeAll(async () => {
  home = await aHome()
  partner = await createPartner(home.settings, 'roles')
})
afterAll(() => home.leave())

/** The worker has a port of its own, and the API reads its pulse from a table: the processes share only the database. */
async function tellsOfItsWorker(apiUrl: string, workerUrl: string): Promise<void> {
  const read = async (url: string) => (await fetch(url).catch(() => null))?.text()
  const lastRound = async (url: string) =>
    Number(/^kestrel_worker_last_round_timestamp_seconds (\S+)$/m.exec((await read(`${url}/metrics`)) ?? '')?.[1] ?? 0)
  await until('the API tells of a round of the worker’s', async () => (await lastRound(apiUrl)) > 0)
  const first = await lastRound(apiUrl)
  await until('it tells of another one', async () => (await lastRound(apiUrl)) > first)
  expect(await read(`${workerUrl}/healthz`)).toBe('{"status":"ok"}')
  expect(await read(`${workerUrl}/readyz`)).toBe('{"status":"ready","problems":{}}')
  expect(await lastRound(workerUrl)).toBeGreaterThan(0)
  expect(await read(`${workerUrl}/metrics`)).toMatch(/^kestrel_job_last_round_timestamp_seconds\{job="send mail"\} \d/m)
  expect((await fetch(`${workerUrl}/v1/account`)).status).toBe(404)
  expect((await fetch(`${workerUrl}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.9' } })).status).toBe(404)
}

const statusOf = async (id: string) =>
  (await home.owner.query<{ status: string }>('select status from payouts where id = $1', [id]))[0]?.status

describe('a payout', () => {
  it('settles after about two seconds through the worker, although the process that made it is gone', async () => {
    const adminPort = await freePort()
    const worker = launch(['worker'], { ...home.settings, ADMIN_PORT: String(adminPort) })
    const api = await serveOn('api', home.settings)
    await tellsOfItsWorker(api.url, `http://127.0.0.1:${adminPort}`)
    const [plain, late] = await Promise.all([
      postPayout(api.url, partner.key, 'roles-plain', { reference: 'plain' }),
      postPayout(api.url, partner.key, 'roles-late', { reference: 'sandbox:late' }),
    ])
    expect([plain.status, plain.body.status, late.status, late.body.status]).toEqual([
      201,
      'processing',
      201,
      'pending',
    ])
    expect((await api.kill('SIGKILL')).signal).toBe('SIGKILL')

    await until('both have arrived', async () => {
      const statuses = await Promise.all([plain.body.id, late.body.id].map(statusOf))
      return statuses.every((status) => status === 'completed')
    })
    const took = await home.owner.query<{ key: string; seconds: number }>(
      `select idempotency_key as key, extract(epoch from completed_at - created_at)::float8 as seconds
         from payouts order by key`,
    )
    // The bank takes 2 s, the late one 1.5 s more; the worker looks five times per second, and less and less often while in doubt.
    const seconds = Object.fromEntries(took.map((row) => [row.key, row.seconds]))
    expect(seconds['roles-plain']).toBeGreaterThanOrEqual(2)
    expect(seconds['roles-plain']).toBeLessThan(6)
    expect(seconds['roles-late']).toBeGreaterThanOrEqual(3.5)
    expect(seconds['roles-late']).toBeLessThan(10)
    expect(await sandboxWallet(home.owner, partner.id)).toEqual({
      available: 10_000_000_000n - 2n * 32_070_000n,
      held: 0n,
      in_transit: 0n,
      paid_out: 2n * 32_070_000n,
    })
    expect(await worker.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' })
    for (const line of worker.output.stdout.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('level')
  })
})

describe('a role', () => {
  it('wants a database of somebody’s, and says so', async () => {
    expect(await run(['worker'], { DATA_DIR: home.dataDir })).toEqual({
      code: 3,
      signal: null,
      stdout: '',
      stderr: 'kestrel: DATABASE_URL must be set for this role. `kestrel serve` brings a database of its own.\n',
    })
  })

  it('does not start with a modulus table that cannot be used', async () => {
    const ended = await run(['worker'], { ...home.settings, MODULUS_TABLE: '/nowhere/valacdos.txt' })
    expect(ended).toMatchObject({ code: 3, stdout: '' })
    expect(ended.stderr).toMatch(/^kestrel: MODULUS_TABLE cannot be used\. .*\/nowhere\/valacdos\.txt.*\n$/)
  })

  it('that cannot listen says why and ends, so that its supervisor can start it again', async () => {
    // An address that is reserved for examples: no machine has it.
    const ended = await run(['api'], { ...home.settings, HOST: '192.0.2.1', PORT: '22001' }, 8_000)
    expect(ended.stderr).toMatch(/^kestrel: .*EADDRNOTAVAIL.*\n$/)
    expect({ code: ended.code, signal: ended.signal }).toEqual({ code: 1, signal: null })
  })
})

describe('two roles that start at the same moment on an empty database and an empty data directory', () => {
  it('agree on their secrets, and both come up', async () => {
    const fresh = await aHome({ isMigrated: false })
    try {
      const worker = launch(['worker'], fresh.settings)
      const api = await serveOn('api', fresh.settings)
      await until('the worker works', () => /"working"/.test(worker.output.stdout) || worker.output.stderr !== '')
      expect(worker.output.stderr.replace(/^ {2}✔ Build .*\n/, '')).toBe('')
      expect((await api.kill('SIGTERM')).code).toBe(0)
      expect((await worker.kill('SIGTERM')).code).toBe(0)
      // The next start finds the secrets that the database knows.
      const again = await serveOn('api', fresh.settings)
      expect((await again.kill('SIGTERM')).code).toBe(0)
    } finally {
      await fresh.leave()
    }
  })
})
