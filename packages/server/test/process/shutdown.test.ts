// SIGTERM: what is under way is finished, what was done is written down, and the next start goes on.
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { aPayoutBody } from '../support/fixtures.ts'
import { ownerOf } from '../storage/owner.ts'
import { type Home, aHome, endEverythingStarted, moment, serveOn, until } from './program.ts'
import { postPayout } from './requests.ts'

let home: Home
beforeAll(async () => {
  home = await aHome()
})
// Ends what a failed test left running, so that the next test does not fail because of it.
afterEach(endEverythingStarted)
afterAll(() => home.leave())

/**
 * Holds the wallet's lock, so that payouts are really under way when a signal comes. On a connection of its
 * own: inside a transaction PostgreSQL shows who is waiting as it was at the first look, for ever.
 */
async function takeTheWallet(): Promise<() => Promise<void>> {
  const holder = await ownerOf(home.settings['DATABASE_URL']!)
  await holder.query('begin')
  await holder.query(`select 1 from ledger_accounts where account = 'available' for update`)
  return async () => {
    await holder.query('rollback')
    await holder.end()
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 100 })

/** A payout whose request the server is known to have begun to read before its body is sent. */
function startPayout(url: string, apiKey: string, idempotencyKey: string) {
  const made = request(`${url}/v1/payouts`, {
    agent,
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'idempotency-key': idempotencyKey,
      'content-type': 'application/json',
      expect: '100-continue',
    },
  })
  const answer = new Promise<{ status: number; id: string }>((resolve, reject) => {
    made.once('error', reject).once('response', (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (more: string) => (text += more))
      reply.once('error', reject).once('end', () => {
        resolve({ status: reply.statusCode!, id: (JSON.parse(text) as { id: string }).id })
      })
    })
  })
  const isBeingRead = new Promise<void>((resolve) => made.once('continue', resolve))
  made.flushHeaders()
  return { answer, isBeingRead, sendBody: () => made.end(JSON.stringify(aPayoutBody())) }
}

function getOnKeptConnection(url: string, apiKey: string): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const made = request(url, { agent, headers: { authorization: `Bearer ${apiKey}` } })
    made.once('error', reject).once('response', (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (more: string) => (text += more))
      reply.once('end', () => resolve({ status: reply.statusCode!, body: JSON.parse(text) as unknown }))
    })
    made.end()
  })
}

const waitingForTheWallet = async () =>
  (
    await home.owner.query(
      `select 1 from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
    )
  ).length > 0

describe.sequential('a server that is told to stop', () => {
  let apiKey: string
  const keys = Array.from({ length: 12 }, (_, index) => `shutdown-${index}`)

  it('answers the payouts that are under way, writes its activity down, and ends with 0 within ten seconds', async () => {
    const server = await serveOn('serve', home.settings)
    apiKey = /kp_sandbox_[0-9a-f]{48}/.exec(server.output.stdout)![0]
    expect((await postPayout(server.url, apiKey, 'shutdown-before')).status).toBe(201)

    const giveTheWalletBack = await takeTheWallet()
    const asked = keys.map((key) => startPayout(server.url, apiKey, key))
    await Promise.all(asked.map((each) => each.isBeingRead))
    for (const each of asked) each.sendBody()
    await until('payouts wait for the wallet', waitingForTheWallet)
    const toldAt = Date.now()
    const ending = server.kill('SIGTERM')
    await moment(300)
    await giveTheWalletBack()

    const answers = await Promise.all(asked.map((each) => each.answer))
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 201))
    const ended = await ending
    expect({ code: ended.code, signal: ended.signal, stderr: ended.stderr }).toEqual({
      code: 0,
      signal: null,
      stderr: '',
    })
    expect(Date.now() - toldAt).toBeLessThan(10_000)

    const [activity] = await home.owner.query<{ count: string }>(
      `select count(*) from activity where action = 'payout.create' and status = 201`,
    )
    expect(activity!.count).toBe('13')
    const ids = answers.map(({ id }) => id)
    const details = await home.owner.query<{ detail: string }>('select detail from activity')
    expect(details.map(({ detail }) => detail)).toEqual(expect.arrayContaining(ids))
  })

  it('goes on where it ended at the next start: no new business, the same payouts, which complete', async () => {
    const server = await serveOn('serve', home.settings)
    expect(server.output.stdout).toContain('partners are there already')
    expect(server.output.stdout).not.toMatch(/kp_sandbox_[0-9a-f]{48}/)
    const answers = await Promise.all(keys.map((key) => postPayout(server.url, apiKey, key)))
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200))
    await until('all have arrived', async () => {
      const rows = await home.owner.query(`select 1 from payouts where status <> 'completed'`)
      return rows.length === 0
    })
    // By Ctrl-C this time; the callers above keep their connections open, which is no reason to stay.
    const toldAt = Date.now()
    const ended = await server.kill('SIGINT')
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' })
    expect(Date.now() - toldAt).toBeLessThan(5_000)
  })

  it('finishes a request whose body still comes, however often it is told, and refuses a new one in the usual words', async () => {
    const server = await serveOn('serve', home.settings)
    const [one, other] = ['shutdown-one', 'shutdown-other'].map((key) => startPayout(server.url, apiKey, key))
    await Promise.all([one!.isBeingRead, other!.isBeingRead])
    // A terminal, npm and a supervisor may each pass on the same signal.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM'] as const) void server.kill(signal)
    await until('nobody new is let in', () =>
      fetch(`${server.url}/healthz`, { headers: { connection: 'close' } }).then(
        () => false,
        () => true,
      ),
    )
    one!.sendBody()
    expect((await one!.answer).status).toBe(201)
    // The connection of the first is free now, and still open.
    const late = await getOnKeptConnection(`${server.url}/v1/account`, apiKey)
    other!.sendBody()
    expect((await other!.answer).status).toBe(201)
    agent.destroy()
    expect((await server.ended).code).toBe(0)
    expect(late).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } })
  })

  it('ends at once for a person who asks again after a while', async () => {
    const server = await serveOn('serve', home.settings)
    const giveTheWalletBack = await takeTheWallet()
    const asked = startPayout(server.url, apiKey, 'shutdown-impatient')
    asked.answer.catch(() => undefined)
    await asked.isBeingRead
    asked.sendBody()
    await until('the payout waits for the wallet', waitingForTheWallet)
    void server.kill('SIGINT')
    await moment(1_200)
    const toldAt = Date.now()
    // More than once: a busy process may have taken the first wish late, and then this is still the same one.
    const asking = setInterval(() => void server.kill('SIGINT'), 200)
    const ended = await server.ended.finally(() => clearInterval(asking))
    expect(ended.code).toBe(130)
    expect(Date.now() - toldAt).toBeLessThan(5_000)
    await giveTheWalletBack()
  })

  it('ends in order when an error comes that nobody caught, says which, and can be started again', async () => {
    const thrower = 'process.on("SIGUSR2", () => { throw new Error("nobody expected this") })'
    const settings = { ...home.settings, NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(thrower)}` }
    const server = await serveOn('serve', settings)
    expect((await postPayout(server.url, apiKey, 'shutdown-unknown')).status).toBe(201)
    const ended = await server.kill('SIGUSR2')
    expect([ended.code, ended.signal]).toEqual([1, null])
    expect(ended.stderr).toContain('An error that nobody caught: Error: nobody expected this')
    expect(readFileSync(join(home.dataDir, 'kestrel.log'), 'utf8')).toContain('an error that nobody caught: ending')
    const again = await serveOn('serve', home.settings)
    expect((await postPayout(again.url, apiKey, 'shutdown-unknown')).status).toBe(200)
    expect((await again.kill('SIGTERM')).code).toBe(0)
  })
})
