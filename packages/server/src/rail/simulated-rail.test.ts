import { SANDBOX_STORIES } from '@kestrel/bank/outcomes'
import { describe, expect, it } from 'vitest'

import { microUsdc, pence } from '../core/money.ts'
import type { TransferRequest } from './transfer.ts'
import { createSimulatedRail } from './simulated-rail.ts'

const START = Date.parse('2026-07-01T12:00:00.000Z')
const ID = '0197c5e0-0000-7000-8000-000000000001'

/** The rail `elapsedMs` after the request was made. */
const railAt = (elapsedMs: number) => createSimulatedRail({ now: () => new Date(START + elapsedMs) })

function request(reference: string | null, overrides: Partial<TransferRequest> & { accountNumber?: string } = {}) {
  const { accountNumber = '12345678', ...rest } = overrides
  const made: TransferRequest = {
    account: null,
    recipientRef: null,
    clientReference: ID,
    receive: pence(2_500n),
    walletSends: microUsdc(32_070_000n),
    recipient: {
      type: 'individual',
      first_name: 'Amara',
      last_name: 'Okafor',
      address: { line1: '1 High Street', city: 'Leeds', postal_code: 'LS1 4AP', region: 'Leeds' },
      bank: { bank_name: 'Monzo', sort_code: '040004', account_number: accountNumber },
    },
    reference,
    statementReference: reference,
    requestedAt: new Date(START),
    attempt: 1,
    ...rest,
  }
  return made
}

/** The transfer that a request gives, and how it stands at later moments. */
async function life(reference: string | null, momentsMs: readonly number[], account?: string) {
  const answer = await railAt(0).submit(request(reference, account === undefined ? {} : { accountNumber: account }))
  if (answer.kind !== 'accepted') throw new Error(`It was ${answer.kind}`)
  const { transferRef } = answer.transfer
  const at = async (ms: number) => (await railAt(ms).readTransfers([transferRef])).get(transferRef)!
  return { first: answer.transfer, later: await Promise.all(momentsMs.map(at)) }
}

const moment = (ms: number) => new Date(START + ms)

describe('the story', () => {
  it('settle: on its way at once, in the account after two seconds, and not a millisecond before', async () => {
    const { first, later } = await life(null, [1_999, 2_000, 1_000_000])
    expect(first).toMatchObject({ state: 'submitted', refund: 'none', reason: null, nextChangeAt: moment(2_000) })
    expect(later.map(({ state, nextChangeAt }) => ({ state, nextChangeAt }))).toEqual([
      { state: 'submitted', nextChangeAt: moment(2_000) },
      { state: 'settled', nextChangeAt: null },
      { state: 'settled', nextChangeAt: null },
    ])
  })

  it('refuse: an account ending 0000 is undeliverable at once, with the money back and the bank’s reason', async () => {
    const { first, later } = await life('Invoice 1042', [60_000], '12340000')
    const refused = { state: 'undeliverable', refund: 'done', nextChangeAt: null }
    expect(first).toMatchObject({ ...refused, reason: 'Sort code or account number unknown (1114)' })
    expect(later[0]).toEqual(first)
  })

  it('return: settles, says when it will come back, and comes back with the money', async () => {
    const { later } = await life('sandbox:return', [1_999, 2_000, 3_999, 4_000, 4_500])
    expect(later.map(({ state, refund, nextChangeAt }) => ({ state, refund, nextChangeAt }))).toEqual([
      { state: 'submitted', refund: 'none', nextChangeAt: moment(2_000) },
      { state: 'settled', refund: 'none', nextChangeAt: moment(4_000) },
      { state: 'settled', refund: 'none', nextChangeAt: moment(4_000) },
      { state: 'returned', refund: 'in_flight', nextChangeAt: moment(4_500) },
      { state: 'returned', refund: 'done', nextChangeAt: null },
    ])
  })

  it.each([
    { story: 'fail', state: 'undeliverable', refund: 'in_flight' },
    { story: 'cancel', state: 'cancelled', refund: 'done' },
  ])('$story: on its way, then $state with a reason, and the money back', async ({ story, state, refund }) => {
    const { first, later } = await life(`sandbox:${story}`, [1_999, 2_000, 2_500])
    expect(first).toMatchObject({ state: 'submitted', nextChangeAt: moment(2_000) })
    expect(later[0]).toMatchObject({ state: 'submitted', refund: 'none' })
    expect(later[1]).toMatchObject({ state, refund })
    expect(later[2]).toMatchObject({ state, refund: 'done', nextChangeAt: null })
    expect(later[1]!.reason).toMatch(/\w/)
  })

  it('hold: stays on its way for ever and promises nothing', async () => {
    const { first, later } = await life('sandbox:hold', [2_000, 365 * 24 * 3_600_000])
    for (const transfer of [first, ...later]) expect(transfer).toMatchObject({ state: 'submitted', nextChangeAt: null })
  })

  it('late: no answer for a second and a half, then the transfer, which settles two seconds later', async () => {
    const late = request('sandbox:late')
    for (const ms of [0, 1_499]) expect((await railAt(ms).submit(late)).kind).toBe('unknown')
    const answer = await railAt(1_500).submit(late)
    if (answer.kind !== 'accepted') throw new Error(`It was ${answer.kind}`)
    expect(answer.transfer).toMatchObject({ state: 'submitted', nextChangeAt: moment(3_500) })
    const { transferRef } = answer.transfer
    const at = async (ms: number) => (await railAt(ms).readTransfers([transferRef])).get(transferRef)?.state
    expect([await at(3_499), await at(3_500)]).toEqual(['submitted', 'settled'])
  })

  it('reject: refused before sending, however often it is asked', async () => {
    for (const ms of [0, 10_000]) expect((await railAt(ms).submit(request('sandbox:reject'))).kind).toBe('rejected')
  })

  it('down: certainly not sent, however often it is asked', async () => {
    for (const ms of [0, 10_000]) expect((await railAt(ms).submit(request('sandbox:down'))).kind).toBe('not_sent')
  })
})

describe('asking again', () => {
  it.each([...SANDBOX_STORIES, 'settle'].filter((story) => story !== 'reject' && story !== 'down'))(
    'for the story %s gives the very same transfer, from any process at any time',
    async (story) => {
      const refs = new Set<string>()
      for (const ms of [1_500, 2_000, 5_000, 86_400_000]) {
        const answer = await railAt(ms).submit(request(`sandbox:${story}`))
        if (answer.kind !== 'accepted') throw new Error(`It was ${answer.kind}`)
        refs.add(answer.transfer.transferRef)
        const read = await railAt(ms).readTransfers([answer.transfer.transferRef])
        expect(read.get(answer.transfer.transferRef)).toEqual(answer.transfer)
      }
      expect(refs.size).toBe(1)
    },
  )

  it('for another payout gives another transfer', async () => {
    const other = { clientReference: '0197c5e0-0000-7000-8000-000000000002' }
    const answers = await Promise.all([railAt(0).submit(request(null)), railAt(0).submit(request(null, other))])
    const refs = answers.map((answer) => (answer.kind === 'accepted' ? answer.transfer.transferRef : answer.kind))
    expect(new Set(refs).size).toBe(2)
  })
})

describe('reading transfers', () => {
  it('leaves out what it does not know, and reads the others all the same', async () => {
    const { first } = await life(null, [])
    const unknown = ['', 'sim_settle', 'ref', `sim_settle_x_${ID}`, `sim_settle_1_${ID}x`, `x${first.transferRef}`]
    const found = await railAt(0).readTransfers([...unknown, first.transferRef])
    expect([...found.keys()]).toEqual([first.transferRef])
    expect((await railAt(0).readTransfers([])).size).toBe(0)
  })
})

describe('its rate', () => {
  it('makes 7,900 GBP of the sandbox float of 10,000 USDC', async () => {
    expect((await railAt(0).readRate()).rate.text).toBe('0.79')
  })
})
