// Texts that people read have something to read in them, and nothing that disguises it: one rule, wherever they are taken.
import { VISIBLE_OR_EMPTY, VISIBLE_TEXT } from '@kestrel/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, aRecipient, balanceOf, createPayout } from '../support/fixtures.ts'
import { ask, signedIn } from '../support/sessions.ts'

const INVISIBLE = {
  'a space': ' ',
  'a zero-width space': '\u200b',
  'a word joiner': '\u2060',
  'a soft hyphen': '\u00ad',
  'a Hangul filler': '\u3164',
  'a Hangul choseong filler': '\u115f',
  'a Mongolian vowel separator': '\u180e',
  'a private letter': '\ue000',
  'tag letters': '\u{e0041}\u{e0042}',
  'a blank of Braille': '\u2800',
  'a variation selector': '\ufe0f',
}
const DISGUISED = {
  'an override': 'a\u202eb',
  'a letter mark': '\u061ca',
  'a right-to-left mark': 'a\u200f',
  NUL: 'a\u0000',
}
const FINE = ['Amara', 'Zoë', '李小龍', 'محمد', 'नेहा', '👩‍👩‍👧', 'O’Neil-Smith', 'a\u200bb', '\u{1f1ec}\u{1f1e7}']

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  partner = await aPartner(test)
})
afterAll(() => test.close())

describe('the rule for texts', () => {
  const [visible, orEmpty] = [new RegExp(VISIBLE_TEXT, 'u'), new RegExp(VISIBLE_OR_EMPTY, 'u')]

  it.each(Object.entries({ ...INVISIBLE, ...DISGUISED }))('refuses %s', (_, text) => {
    expect([visible.test(text), orEmpty.test(text)]).toEqual([false, false])
  })

  it.each(FINE)('takes %s', (text) => {
    expect([visible.test(text), orEmpty.test(text)]).toEqual([true, true])
  })

  it('takes nothing at all only where nothing need be', () => {
    expect([visible.test(''), orEmpty.test('')]).toEqual([false, true])
  })
})

describe('a text of nothing visible', () => {
  it.each(Object.entries(INVISIBLE))('is refused wherever people read one: %s', async (_, text) => {
    const before = await balanceOf(test, partner)
    const admin = await signedIn(test, partner)
    const post = (url: string, payload: object) => test.request({ method: 'POST', url, payload })
    const replies = [
      await createPayout(test, partner, { reference: text }),
      await createPayout(test, partner, { recipient: { ...aRecipient(), last_name: text } }),
      await createPayout(test, partner, {
        recipient: { ...aRecipient(), address: { ...aRecipient().address, line2: text } },
      }),
      await post('/v1/auth/sign-up', { email: 'a@b.test', business_name: text }),
      await ask(test, admin, { method: 'PATCH', url: '/v1/settings', payload: { name: text } }),
      await ask(test, admin, { method: 'POST', url: '/v1/keys', payload: { environment: 'sandbox', label: text } }),
      await ask(test, admin, {
        method: 'POST',
        url: '/v1/members',
        payload: { email: 'a@b.test', role: 'viewer', name: text },
      }),
    ]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(replies.map(() => 422))
    expect(await balanceOf(test, partner)).toBe(before)
  })
})
