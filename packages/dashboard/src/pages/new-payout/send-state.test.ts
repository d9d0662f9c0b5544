import { describe, expect, it } from 'vitest'

import { ApiError, Unanswered } from '../../server/client.ts'
import { EMPTY, requestOf } from './draft.ts'
import { AT_REST, nextState, type Order, type SendEvent, type SendState } from './send-state.ts'

const orderOf = (amount: string): Order => ({ body: requestOf({ ...EMPTY, amount }), quotedUsdc: '32.07' })
const order = orderOf('25.00')
const mail = {
  object: 'confirm_code',
  sent_to: 'd•••@thistle.test',
  expires_at: '2026-11-02T09:10:00.000Z',
  amount_gbp: '25.00',
  recipient_name: 'Amara Okafor',
} as const
const wrongCode = new ApiError(422, { code: 'code_not_accepted', message: 'That code is not right.' }, null)
const refusal = new ApiError(422, { code: 'invalid_recipient', message: 'The account cannot be.' }, null)

const after = (state: SendState, ...events: readonly SendEvent[]) => events.reduce(nextState, state)

const SEND_LIVE: SendEvent = { type: 'send', order, needsCode: true }
const MAILED: SendEvent = { type: 'mailed', order, mail }
const CODE: SendEvent = { type: 'code', code: '123456' }
const WRONG: SendEvent = { type: 'not created', outcome: { kind: 'code', error: wrongCode } }
const SILENCE: SendEvent = { type: 'not created', outcome: { kind: 'unknown', requestId: null } }

const paying = after(AT_REST, { type: 'send', order, needsCode: false })
const asking = after(AT_REST, SEND_LIVE)
const confirming = after(asking, MAILED)
const payingWithCode = after(confirming, CODE)
const created = after(payingWithCode, { type: 'created' })

describe('sending', () => {
  it('pays at once in sandbox, and asks for a code first in live', () => {
    expect(paying).toMatchObject({ name: 'paying', order, code: null })
    expect(asking).toMatchObject({ name: 'asking', order, dialog: null })
    expect(confirming).toMatchObject({ name: 'confirming', dialog: { mail, codeError: null, askError: null } })
    expect(payingWithCode).toMatchObject({ name: 'paying', code: '123456', dialog: { mail } })
  })

  it.each([paying, asking, confirming, payingWithCode, created])('sends nothing more while it is $name', (state) => {
    expect(nextState(state, SEND_LIVE)).toBe(state)
    expect(nextState(state, { type: 'send', order, needsCode: false })).toBe(state)
  })

  it.each([paying, payingWithCode, created])('cannot be closed while it is $name', (state) => {
    for (const type of ['close', 'resend', 'change'] as const) expect(nextState(state, { type })).toBe(state)
    expect(nextState(state, CODE)).toBe(state)
  })

  it('never leaves a payout that exists', () => {
    for (const event of [SILENCE, WRONG, MAILED, { type: 'created' } as const]) {
      expect(nextState(created, event)).toBe(created)
    }
  })
})

describe('what became of a try', () => {
  it('is shown, and stays while details are changed if money may have moved', () => {
    const unknown = after(paying, SILENCE)
    expect(unknown).toMatchObject({ name: 'resting', outcome: { kind: 'unknown' } })
    expect(nextState(unknown, { type: 'change' })).toBe(unknown)
    const refused = after(paying, { type: 'not created', outcome: { kind: 'refused', error: refusal } })
    expect(refused).toMatchObject({ name: 'resting', outcome: { kind: 'refused', error: refusal } })
    expect(after(refused, { type: 'change' })).toMatchObject({ outcome: null })
    expect(after(refused, { type: 'shown in the form' })).toMatchObject({ outcome: null })
  })

  it('is cleared by the next try', () => {
    expect(after(paying, SILENCE, { type: 'send', order, needsCode: false })).toMatchObject({ name: 'paying' })
  })

  it('closes the dialog, unless it is about the code', () => {
    expect(after(payingWithCode, SILENCE).name).toBe('resting')
    expect(after(payingWithCode, WRONG)).toMatchObject({ name: 'confirming', dialog: { mail, codeError: wrongCode } })
  })
})

describe('a code', () => {
  it('that could not be sent has moved nothing', () => {
    const silent = after(asking, { type: 'not mailed', order, error: new Unanswered('No answer.') })
    expect(silent).toMatchObject({ name: 'resting', outcome: { kind: 'not_sent' } })
    const refused = after(asking, { type: 'not mailed', order, error: refusal })
    expect(refused).toMatchObject({ name: 'resting', outcome: { kind: 'refused', error: refusal } })
  })

  it('still works while another is asked for, and when there is none to be had', () => {
    const again = after(confirming, { type: 'resend' })
    expect(again).toMatchObject({ name: 'asking', dialog: { mail } })
    const none = after(again, { type: 'not mailed', order, error: refusal })
    expect(none).toMatchObject({ name: 'confirming', dialog: { mail, askError: refusal } })
    expect(after(none, CODE)).toMatchObject({ name: 'paying', code: '123456' })
  })

  it('is carried again by a second try of the same order, and of no other', () => {
    const unknown = after(payingWithCode, SILENCE)
    expect(after(unknown, { ...SEND_LIVE, order: orderOf('25.00') })).toMatchObject({ name: 'paying', code: '123456' })
    const other = after(unknown, { ...SEND_LIVE, order: orderOf('26.00') })
    expect(other).toMatchObject({ name: 'asking' })
  })

  it('that is refused is not carried again: another is asked for', () => {
    expect(after(payingWithCode, WRONG).confirmed).toBeNull()
    expect(after(payingWithCode, SILENCE, SEND_LIVE, WRONG)).toMatchObject({
      name: 'asking',
      dialog: null,
      confirmed: null,
    })
  })

  it('that arrives after its dialog was closed opens no dialog, not even of the next order', () => {
    const closed = after(confirming, { type: 'resend' }, { type: 'close' })
    expect(closed).toMatchObject({ name: 'resting', outcome: null })
    expect(nextState(closed, MAILED)).toBe(closed)
    const next = after(closed, { ...SEND_LIVE, order: orderOf('26.00') })
    expect(nextState(next, MAILED)).toBe(next)
    expect(nextState(next, { type: 'not mailed', order, error: refusal })).toBe(next)
  })
})
