// kill -9 of the operator's command while it tops a payout up, and of the worker while it looks for what a refund brought:
// the bank is given the money once, and the books have each once.
import { randomInt } from 'node:crypto'

import { EXCESS_WALLET_ID } from '@kestrel/bank'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestBank, startTestBank } from '../support/bank.ts'
import { type Home, type Settings, aHome, launch, moment, run, serveOn, until } from './program.ts'
import { createPartner, postPayout } from './requests.ts'

const SEED = Number.parseInt(process.env['SEED'] ?? '', 10) || randomInt(2 ** 31)
process.stdout.write(`money-kill.test.ts seed=${SEED}\n`)
let state = SEED >>> 0
const draw = (below: number) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

let home: Home
let bank: TestBank
let settings: Settings
let partner: { id: string; key: string }
beforeAll(async () => {
  ;[home, bank] = await Promise.all([aHome(), startTestBank()])
  await bank.standStill()
  const { baseUrl, apiKey } = bank.provider
  settings = {
    ...home.settings,
    BANK_SANDBOX_URL: baseUrl,
    BANK_SANDBOX_API_KEY: apiKey,
    BANK_SANDBOX_EXCESS_WALLET: `${EXCESS_WALLET_ID}/${EXCESS_WALLET_ID}`,
    BANK_SWEEP_SECONDS: '1',
  }
  partner = await createPartner(settings, 'money')
})
afterAll(async () => {
  await home.leave()
  await bank.close()
})

const entries = (kind: string) =>
  home.owner.query<{ amount: string }>('select amount::text from ledger_entries where kind = $1', [kind])
const excess = async () =>
  (await bank.books()).wallets.find(({ id }) => id === EXCESS_WALLET_ID)?.balance_micro ?? 'no wallet'

describe('money of the operator’s', () => {
  it('moves once, whatever is killed when', async () => {
    let worker = launch(['worker'], settings)
    await until('the wallet is at the bank', async () => {
      const rows = await home.owner.query(`select 1 from wallets where rail = 'provider_sandbox'`)
      return rows.length > 0
    })
    const api = await serveOn('api', settings)
    expect((await postPayout(api.url, partner.key, `order-${SEED}`)).status).toBe(201)
    await api.kill('SIGTERM')
    const [{ id, ref }] = (await home.owner.query<{ id: string; ref: string }>(
      'select id, provider_ref as ref from payouts',
    )) as [{ id: string; ref: string }]
    const steer = (name: string, body: object = {}) => bank.control('POST', `/transfers/${ref}/${name}`, body)
    await bank.control('POST', `/wallets/${EXCESS_WALLET_ID}/adjust`, {
      amount_micro: '9000000',
      reason: 'for top-ups',
    })
    const noted = ['bank', 'excess-moved', '--environment', 'sandbox', '--in', '9.00', '--reason', 'for top-ups']
    expect((await run([...noted, '--reference', 'once'], settings, 60_000)).code).toBe(0)
    await bank.control('POST', '/rate', { rate: '0.75' })
    await steer('submit')

    const topUp = ['payout', 'top-up', id]
    const cut = launch(topUp, settings)
    await moment(300 + draw(2_500))
    await cut.kill('SIGKILL')
    await until('it is topped up', async () => {
      await Promise.all([run(topUp, settings, 60_000), run(topUp, settings, 60_000)])
      return (await entries('top_up')).length > 0
    })
    expect([await entries('top_up'), await excess()]).toEqual([[{ amount: '1270000' }], '7730000'])

    await steer('return')
    await steer('refund', { amount: '31.50' })
    await until('it is refunded', async () => {
      const done = await home.owner.query(`select 1 from refund_checks`)
      return done.length > 0
    })
    await home.owner.query(
      `update refund_checks set refunded_at = refunded_at - interval '1 hour', next_look_at = now() - interval '1 second'`,
    )
    await moment(draw(1_500))
    expect((await worker.kill('SIGKILL')).signal).toBe('SIGKILL')
    worker = launch(['worker'], settings)
    await until('what came back is booked', async () => (await entries('refund_diff')).length > 0, 60_000)
    expect(await entries('refund_diff')).toEqual([{ amount: '570000' }])
    await worker.kill('SIGTERM')
    expect((await run(['reconcile'], settings, 60_000)).stdout).toBe('The books are right.\n')
  }, 300_000)
})
