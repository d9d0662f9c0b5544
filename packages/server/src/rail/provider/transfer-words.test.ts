// The bank's words for a transfer, and ours: the whole table of states, and what happens to a word that is new.
import { describe, expect, it } from 'vitest'

import { formatPenceExact } from '../../core/money.ts'
import { UnreadableAnswer } from '../port.ts'
import { listedTransfer } from './transfer-words.ts'

const CLOSED = { reason: 'Beneficiary account closed (00000002)', refund_reference_id: '0xabc' }
const STOPPED = { reason: 'Beneficiary account stopped (1161)' }

function aTransfer(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: '5d0c1a2b-0000-4000-8000-000000000001',
    client_reference_id: '0199a8a0-0000-7000-8000-000000000001',
    on_behalf_of: '5d0c1a2b-0000-4000-8000-0000000000cc',
    state: 'pending',
    currency: 'usd',
    amount: '32.07',
    source: { payment_rail: 'bridge_wallet', currency: 'usdc' },
    destination: { payment_rail: 'faster_payments', currency: 'gbp', amount: '25.00' },
    receipt: { initial_amount: '32.07', developer_fee: '0.0', exchange_fee: '0.42' },
    created_at: '2026-11-02T10:00:00.000Z',
    updated_at: '2026-11-02T10:00:01.500Z',
    ...overrides,
  }
}

describe('every state of the bank', () => {
  it.each([
    { state: 'pending', ours: 'accepted', refund: 'none' },
    { state: 'awaiting_funds', ours: 'awaiting_funds', refund: 'none' },
    { state: 'underfunded', ours: 'awaiting_funds', refund: 'none' },
    { state: 'in_review', ours: 'in_review', refund: 'none' },
    { state: 'kyc_required', ours: 'in_review', refund: 'none' },
    { state: 'kyc_in_review', ours: 'in_review', refund: 'none' },
    { state: 'developer_kyb_required', ours: 'in_review', refund: 'none' },
    { state: 'funds_received', ours: 'submitted', refund: 'none' },
    { state: 'payment_submitted', ours: 'submitted', refund: 'none' },
    { state: 'payment_processed', ours: 'settled', refund: 'none' },
    { state: 'undeliverable', ours: 'undeliverable', refund: 'in_flight' },
    { state: 'error', ours: 'undeliverable', refund: 'in_flight' },
    { state: 'returned', ours: 'returned', refund: 'in_flight' },
    { state: 'canceled', ours: 'cancelled', refund: 'done' },
  ])('$state is $ours here, with the refund $refund', ({ state, ours, refund }) => {
    expect(listedTransfer(aTransfer({ state }))).toMatchObject({ state: ours, refund, bankState: state })
  })

  it.each([
    { state: 'refund_in_flight', refund: 'in_flight' },
    { state: 'refunded', refund: 'done' },
    { state: 'refund_failed', refund: 'failed' },
    { state: 'missing_return_policy', refund: 'failed' },
  ])('$state tells by its details whether the payment came back or never left', ({ state, refund }) => {
    const read = (details?: object) => listedTransfer(aTransfer({ state, return_details: details }))
    expect(read(CLOSED)).toMatchObject({ state: 'returned', refund, reason: CLOSED.reason })
    // Free words prove nothing: what was never seen to arrive did not go.
    expect(read({ reason: 'The receiving bank sent it back' })).toMatchObject({ state: 'undeliverable', refund })
    expect(read({})).toMatchObject({ state: 'undeliverable', refund, reason: null })
    // Four digits are Faster Payments refusing: it never left, whatever the details are called.
    expect(read(STOPPED)).toMatchObject({ state: 'undeliverable', refund, reason: STOPPED.reason })
    expect(read()).toMatchObject({ state: 'undeliverable', refund, reason: null })
  })

  it.each(['settled', 'PENDING', 'payment_processed ', 'cancelled', 'toString', '__proto__', 'constructor'])(
    '%j is a word that we do not know, and nothing is guessed',
    (state) => {
      expect(listedTransfer(aTransfer({ state }))).toMatchObject({
        state: 'unknown',
        refund: 'none',
        bankState: state,
      })
    },
  )
})

describe('a transfer of the bank', () => {
  it('is read whole', () => {
    expect(listedTransfer(aTransfer())).toEqual({
      transferRef: '5d0c1a2b-0000-4000-8000-000000000001',
      clientReference: '0199a8a0-0000-7000-8000-000000000001',
      holderRef: '5d0c1a2b-0000-4000-8000-0000000000cc',
      state: 'accepted',
      refund: 'none',
      leavesStanding: expect.objectContaining({ size: 8 }) as ReadonlySet<string>,
      handedOverWords: expect.objectContaining({ size: 8 }) as ReadonlySet<string>,
      bankState: 'pending',
      reason: null,
      nextChangeAt: null,
      send: 32_070_000n,
      receive: 2_500n,
      updatedAt: new Date('2026-11-02T10:00:01.500Z'),
    })
  })

  it('says what was left over of its dollars, and what it lacks', () => {
    const receipt = { initial_amount: '32.07', developer_exchange_fee: { amount: '0.42', currency: 'usdc' } }
    expect(listedTransfer(aTransfer({ receipt })).surplus).toBe(420_000n)
    const more = { amount: '1.21', destination: { payment_rail: 'bridge_transfer' } }
    const underfunded = aTransfer({ state: 'underfunded', additional_funding_instructions: more })
    expect(listedTransfer(underfunded)).toMatchObject({ state: 'awaiting_funds', missing: 1_210_000n })
  })

  it.each([
    [undefined, undefined],
    [null, undefined],
    [{}, undefined],
    [{ currency: 'usdc' }, undefined],
    ['0.42', '0.42 undefined'],
    [{ amount: 'some', currency: 'usdc' }, 'some usdc'],
    [{ amount: '-1', currency: 'usdc' }, '-1 usdc'],
    [{ amount: '0.42', currency: 'gbp' }, '0.42 gbp'],
    [{ amount: 'a\u0000b'.repeat(99), currency: 'x' }, 'a?b'.repeat(20)],
  ])('says no surplus with %j', (fee, said) => {
    const read = listedTransfer(aTransfer({ receipt: { initial_amount: '32.07', developer_exchange_fee: fee } }))
    expect([read.surplus, read.surplusSaid, read.send]).toEqual([undefined, said, 32_070_000n])
  })

  it('is read with fields that we have never heard of', () => {
    const read = listedTransfer(aTransfer({ new_field: { deep: [1, 2] }, receipt: { initial_amount: '32.07', x: 1 } }))
    expect(read).toMatchObject({ state: 'accepted', send: 32_070_000n })
  })

  it.each([
    { fee: '0.40', cost: '0.3118179' },
    { fee: '0.006413', cost: '0.00499922' },
    { fee: '12', cost: '9.35453695' },
  ])('costs the network fee of $fee dollars in pounds at its own rate, not rounded: $cost', ({ fee, cost }) => {
    const read = listedTransfer(aTransfer({ receipt: { initial_amount: '32.07', gas_fee: fee } }))
    expect(formatPenceExact(read.receipt!.networkCost!)).toBe(cost)
  })

  it.each(['0', '0.0', '0.00', '', 'free', '-1', null, undefined, 0.4])(
    'says nothing of its costs with a network fee of %j',
    (fee) => {
      const read = listedTransfer(aTransfer({ receipt: { initial_amount: '32.07', gas_fee: fee } }))
      expect(read).not.toBeNull()
      expect(read?.receipt).toBeUndefined()
    },
  )

  it('sends what its receipt says, and its amount when there is no receipt', () => {
    const sent = (overrides: object) => listedTransfer(aTransfer({ amount: '31.00', ...overrides }))?.send
    expect(sent({ receipt: { initial_amount: '32.070001' } })).toBe(32_070_001n)
    expect(sent({ receipt: undefined })).toBe(31_000_000n)
    expect(sent({ receipt: null })).toBe(31_000_000n)
    expect(sent({ receipt: {} })).toBe(31_000_000n)
  })

  it('may be somebody else’s, without a reference of ours', () => {
    expect(listedTransfer(aTransfer({ client_reference_id: undefined }))?.clientReference).toBeNull()
    expect(listedTransfer(aTransfer({ client_reference_id: null }))?.clientReference).toBeNull()
    expect(listedTransfer(aTransfer({ client_reference_id: '' }))?.clientReference).toBeNull()
  })

  it.each([
    ['no destination', { destination: undefined }, undefined],
    ['a destination without an amount', { destination: {} }, undefined],
    ['what arrives on its receipt alone', { destination: {}, receipt: { final_amount: '25.0' } }, 2_500n],
    ['no reference', { client_reference_id: undefined }, 2_500n],
    ['no moment of its last change', { updated_at: undefined }, 2_500n],
  ])('is read with %s', (_, overrides, receive) => {
    const transfer = listedTransfer(aTransfer(overrides))
    expect([transfer.state, transfer.send, transfer.receive]).toEqual(['accepted', 32_070_000n, receive])
  })

  it.each([
    ['no id', { id: undefined }],
    ['an empty id', { id: '' }],
    ['no customer', { on_behalf_of: null }],
    ['no state', { state: undefined }],
    ['a state that is a number', { state: 4 }],
    ['an amount that is a number', { destination: { amount: 25 } }],
    ['half a penny', { destination: { amount: '25.005' } }],
    ['a negative amount', { destination: { amount: '-25.00' } }],
    ['a sent amount that is no money', { receipt: { initial_amount: 'about 32' } }],
    ['a sent amount finer than a millionth', { receipt: { initial_amount: '32.0700001' } }],
    ['no moment at all', { updated_at: undefined, created_at: undefined }],
    ['a receipt whose pounds are none', { destination: {}, receipt: { final_amount: 'some' } }],
    ['a moment that is none', { updated_at: 'yesterday' }],
  ])('with %s cannot be read, and says so', (_, overrides) => {
    expect(() => listedTransfer(aTransfer(overrides))).toThrow(UnreadableAnswer)
  })

  it.each([[null], [undefined], ['text'], [7], [[]], [[aTransfer()]]])('is never made out of %j', (value) => {
    expect(() => listedTransfer(value)).toThrow(UnreadableAnswer)
  })
})
