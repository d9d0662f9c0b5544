// Payouts with random endings, receivers of every kind, secrets that are rotated, API and worker killed with -9 every few
// seconds: every change reaches every receiver that takes it, signed and in order. `npm run storm` makes it larger.
import { afterAll, beforeAll, expect, it } from 'vitest'

import { type TestBank, startTestBank } from '../support/bank.ts'
import { MOST_UNRECORDED } from '../../src/domain/webhooks/waiting-line.ts'
import { createDice } from '../support/dice.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { checkEvents } from './event-checks.ts'
import { type Home, aHome, freePort, moment, run, until } from './program.ts'
import { createPartner } from './requests.ts'
import { type Caller, ENDINGS, type Ending, createCaller, payOnce } from './storm/calls.ts'
import { type KnownEvent, expectAll, expectInOrder, hasAll, idsOf, listEvents, statesOf } from './storm/checks.ts'
import { type Hook, createMoody, createSlow, goneAfter, neverAnswers, openHook } from './storm/hooks.ts'
import { type Processes, hurryRetries, startProcesses } from './storm/processes.ts'
import { PATIENCE_MS, PAYOUTS, SEED, SIZE } from './storm/storm-size.ts'

const say = (text: string) => process.stdout.write(`webhook storm: ${text}\n`)
say(`seed=${SEED} payouts=${PAYOUTS}`)

let home: Home
let bank: TestBank
let elsewhere: Receiver
let partner: { id: string; key: string }
const hooks: Hook[] = []
beforeAll(async () => {
  ;[home, bank, elsewhere] = await Promise.all([aHome(), startTestBank(), startReceiver()])
  partner = await createPartner(home.settings, 'storm')
})
afterAll(async () => {
  await home.leave()
  for (const { receiver } of hooks) await receiver.close()
  await Promise.all([elsewhere.close(), bank.close()])
})

const settings = () => ({
  ...home.settings,
  BANK_SANDBOX_URL: bank.provider.baseUrl,
  BANK_SANDBOX_API_KEY: bank.provider.apiKey,
  BANK_CONTROL_KEY: bank.controls.key,
  BANK_SWEEP_SECONDS: '1',
  SANDBOX_RECEIVERS: 'this-machine',
})

async function open(call: Caller['call'], answer: Parameters<typeof openHook>[1]): Promise<Hook> {
  const hook = await openHook(call, answer)
  hooks.push(hook)
  return hook
}

/** Twice, the second time when the first secret is no longer good. */
async function rotateTwice(processes: Processes, { call }: Caller, { id, secrets }: Hook, ended: () => number) {
  let graceUntil = 0
  for (const [share, graceSeconds] of [
    [0.2, SIZE.graceSeconds],
    [0.6, 86_400],
  ] as const) {
    await until('it is time to rotate', () => ended() >= PAYOUTS * share && Date.now() > graceUntil, PATIENCE_MS)
    const made = await processes.withoutKills(() =>
      call<{ secret: string; previous_secret_until: string }>('POST', `/v1/webhook-endpoints/${id}/rotate-secret`, {
        grace_seconds: graceSeconds,
      }),
    )
    graceUntil = Date.parse(made.previous_secret_until)
    secrets.rotated(made.secret, graceUntil)
  }
}

const atRest = async () => {
  const moving = await home.owner.query(
    `select 1 from payouts p where surfaced_at is null and send_state = 'sending'
         or refund_state = 'due' or status in ('pending', 'processing')`,
  )
  return moving.length === 0
}

it(
  'every change reaches every receiver that takes it: once at least, signed, in order, whatever is killed when',
  async ({ task }) => {
    task.meta.cases = PAYOUTS
    const dice = createDice(SEED)
    const port = await freePort()
    const processes = await startProcesses(home, settings(), dice, port)
    const caller = createCaller(`http://127.0.0.1:${port}`, partner.key)
    const { call } = caller
    const slow = createSlow(createDice(SEED + 2))
    const moody = createMoody(createDice(SEED + 1), elsewhere.url)
    const good = await open(call, slow.answer)
    const flapping = await open(call, moody.answer)
    const dead = await open(call, neverAnswers)
    const gone = await open(call, goneAfter(5))
    const [{ position: begun }] = (await home.owner.query<{ position: string }>(
      'select max(position)::text as position from webhook_endpoints',
    )) as [{ position: string }]
    const startedAt = new Date(Date.now() - 60_000).toISOString()
    await processes.startWorkers()
    await until('the wallet is at the bank', async () => {
      const rows = await home.owner.query(`select 1 from wallets where partner_id = $1 and rail = 'provider_sandbox'`, [
        partner.id,
      ])
      return rows.length > 0
    })

    let ended = 0
    const orders = Array.from({ length: PAYOUTS }, (_, nth) => ({
      key: `storm-${SEED}-${nth}`,
      ending: dice.pick(Object.keys(ENDINGS) as Ending[]),
      pauseMs: dice.draw(Math.floor((SIZE.spreadMs * SIZE.payers * 2) / PAYOUTS) + 1),
    }))
    const paid = Promise.all(
      Array.from({ length: SIZE.payers }, async (_, payer) => {
        for (let nth = payer; nth < PAYOUTS; nth += SIZE.payers) {
          await moment(orders[nth]!.pauseMs)
          await payOnce(caller, orders[nth]!.key, orders[nth]!.ending)
          ended += 1
        }
      }),
    )
    const hurrying = setInterval(() => void hurryRetries(home, flapping.id).catch(() => undefined), 500)
    await Promise.all([
      paid,
      rotateTwice(processes, caller, good, () => ended),
      processes.killUntil(() => ended === PAYOUTS, slow.isAsked),
    ])
    say(`${PAYOUTS} payouts ended, ${processes.kills.api} kills of the API and ${processes.kills.worker} of workers`)

    moody.mend()
    await until('every payout is at rest', atRest, PATIENCE_MS)
    await checkEvents(home.owner)
    // The dead one still has nearly all of it waiting, and holds up neither of them.
    let due: readonly KnownEvent[] = []
    await until(
      'the good one and the flapping one have everything',
      async () => {
        due = await listEvents(home, partner.id, begun)
        return [good, flapping].every(({ accepted }) => hasAll(accepted, due))
      },
      PATIENCE_MS,
    )
    clearInterval(hurrying)
    for (const hook of [good, flapping]) {
      expectAll(hook.accepted, due, await listEvents(home, partner.id, begun))
      await expectInOrder(home, hook)
    }
    expect(hooks.flatMap(({ problems }) => problems)).toEqual([])
    expect(elsewhere.received).toEqual([])
    expect(moody.seen).toContain('fails')

    expect(Object.keys(await statesOf(home, dead.id))).toEqual(['waiting'])
    expect(dead.accepted).toEqual([])
    const { status, disabled_reason: why } = await call<Record<string, string>>(
      'GET',
      `/v1/webhook-endpoints/${gone.id}`,
    )
    expect([status, why]).toEqual(['disabled', 'gone'])
    expect((await statesOf(home, gone.id))['waiting']).toBeUndefined()
    // What a worker had sent and not recorded when it was killed comes again.
    const mostAgain = MOST_UNRECORDED * processes.kills.worker
    expect(gone.receiver.received.length).toBeLessThanOrEqual(5 + 8 * (1 + processes.kills.worker))
    const again = good.accepted.length - idsOf(good.accepted).size
    expect(again).toBeLessThanOrEqual(mostAgain)
    say(
      `${due.length} events; the good one got ${again} of them again, and the flapping one was asked ${flapping.receiver.received.length} times`,
    )

    await replayed(processes, call, good, { startedAt, due })
    await processes.stop()
    expect(await run(['reconcile'], settings(), 60_000)).toMatchObject({ code: 0, stdout: 'The books are right.\n' })
  },
  3 * PATIENCE_MS,
)

/** Everything once more, with the same ids and the same texts, though a worker is killed over it. */
async function replayed(
  processes: Processes,
  call: Caller['call'],
  good: Hook,
  { startedAt, due }: { startedAt: string; due: readonly KnownEvent[] },
): Promise<void> {
  const before = good.accepted.length
  let from = startedAt
  for (;;) {
    const started = await processes.withoutKills(() =>
      call<{ has_more: boolean; until: string }>('POST', `/v1/webhook-endpoints/${good.id}/replay`, {
        from,
        only: 'all',
      }),
    )
    if (!started.has_more) break
    from = started.until
  }
  await processes.killWorker()
  const again = () => good.accepted.slice(before)
  await until('everything has come once more', () => hasAll(again(), due), PATIENCE_MS)
  // Also what happened before the endpoint was there.
  expectAll(again(), due, await listEvents(home, partner.id, '0'))
  expect(good.problems).toEqual([])
  // The second rotation's grace lasts on: both secrets sign the replay.
  expect(good.secrets.signedTwice()).toBeGreaterThanOrEqual(due.length)
}
