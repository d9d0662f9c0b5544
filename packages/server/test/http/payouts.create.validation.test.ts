import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { changePartnerStatus } from '../../src/domain/partners/change-partner.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import {
  type PayoutBody,
  type TestPartner,
  aPartner,
  aPayoutBody,
  aRecipient,
  anIdempotencyKey,
  balanceOf,
  createPayout,
  post,
  sql,
} from '../support/fixtures.ts'

let test: TestApp
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  partner = await aPartner(test)
})
afterAll(() => test.close())

/** A recipient with one leaf changed; `undefined` takes it away. */
function recipientWith(path: string, value: unknown): unknown {
  const recipient = structuredClone(aRecipient()) as Record<string, unknown>
  const names = path.split('.')
  const last = names.pop()!
  const parent = names.reduce((each, name) => each[name] as Record<string, unknown>, recipient)
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return recipient
}

/** Sends what must be refused, and sees to it that no money moved. */
async function refused(body: PayoutBody) {
  const before = await balanceOf(test, partner)
  const reply = await createPayout(test, partner, body)
  expect(await balanceOf(test, partner)).toBe(before)
  expect(reply.statusCode).toBe(422)
  return reply.json().error
}

const accepted = async (body: PayoutBody) => {
  const own = await aPartner(test)
  return (await createPayout(test, own, body)).statusCode
}

const OPTIONAL: ReadonlySet<string> = new Set(['type', 'email', 'address.line2', 'address.region'])

const LEAVES = [
  'recipient.first_name (1 to 80 characters)',
  'recipient.last_name (1 to 80 characters)',
  'recipient.address.line1 (text)',
  'recipient.address.city (text)',
  'recipient.address.postal_code (text)',
  'recipient.bank.bank_name (text)',
  'recipient.bank.sort_code (6 digits)',
  'recipient.bank.account_number (8 digits)',
]

const UNREADABLE = '; something visible, no control or direction characters'

describe('POST /v1/payouts, 422 invalid_recipient: a field', () => {
  const strings = [
    { value: undefined, why: 'missing' },
    { value: null, why: 'null' },
    { value: 7, why: 'a number' },
    { value: true, why: 'a boolean' },
    { value: ['x'], why: 'a list' },
    { value: {}, why: 'an object' },
  ]
  const texts = [
    { value: '', why: 'empty' },
    { value: '   ', why: 'nothing but spaces' },
    { value: '\u00a0', why: 'nothing but a space that does not break' },
    { value: 'a\nb', why: 'a line end' },
    { value: 'a\u0085b', why: 'a control character' },
    { value: 'a\u202eb', why: 'a mark that turns the writing round' },
    { value: 'a\u2066b', why: 'a mark that hides the order' },
  ]
  const digits = (count: number) => [
    { value: '1'.repeat(count - 1), why: 'a digit too few' },
    { value: '1'.repeat(count + 1), why: 'a digit too many' },
    { value: `${'1'.repeat(count - 1)}x`, why: 'a letter' },
    { value: `${'1'.repeat(count)}\n`, why: 'a line end behind' },
    { value: ` ${'1'.repeat(count - 1)}`, why: 'a space' },
    { value: '١'.repeat(count), why: 'digits of another script' },
    { value: '', why: 'empty' },
    { value: Number('1'.repeat(count)), why: 'a number, even the right one' },
  ]
  const name = [...strings, ...texts, { value: 'x'.repeat(81), why: 'too long' }]
  const optional = strings.filter(({ value }) => value !== undefined)

  describe.each([
    {
      path: 'type',
      rule: 'individual or business',
      wrong: [
        ...optional,
        { value: 'Business', why: 'upper case' },
        { value: 'person', why: 'no such type' },
        { value: '', why: 'empty' },
      ],
    },
    { path: 'first_name', rule: '1 to 80 characters', wrong: name },
    { path: 'last_name', rule: '1 to 80 characters', wrong: name },
    {
      path: 'email',
      rule: 'an email address',
      wrong: [
        ...optional,
        { value: 'nobody', why: 'no address' },
        { value: '', why: 'empty' },
        { value: 'a@b', why: 'no domain' },
        { value: `${'a'.repeat(250)}@b.co`, why: 'too long' },
      ],
    },
    { path: 'address.line1', rule: 'text', wrong: [...strings, ...texts] },
    {
      path: 'address.line2',
      rule: 'text',
      wrong: [
        ...optional,
        { value: 'a\u0007b', why: 'a control character' },
        { value: 'a\u202eb', why: 'a mark that turns the writing round' },
      ],
    },
    { path: 'address.city', rule: 'text', wrong: [...strings, ...texts] },
    { path: 'address.postal_code', rule: 'text', wrong: [...strings, ...texts] },
    {
      path: 'address.region',
      rule: 'at most 80 characters',
      wrong: [
        ...optional,
        { value: 'x'.repeat(81), why: 'too long' },
        { value: 'a\u202eb', why: 'a mark that turns the writing round' },
      ],
    },
    { path: 'bank.bank_name', rule: 'text', wrong: [...strings, ...texts] },
    {
      path: 'bank.sort_code',
      rule: '6 digits',
      wrong: [...strings, ...digits(6), { value: '12-34-56', why: 'hyphens' }],
    },
    { path: 'bank.account_number', rule: '8 digits', wrong: [...strings, ...digits(8)] },
  ])('recipient.$path', ({ path, rule, wrong }) => {
    it.each(wrong)('must not be $value: $why', async ({ value }) => {
      const error = await refused({ recipient: recipientWith(path, value) })
      expect(error.code).toBe('invalid_recipient')
      const isNeedless = value === null && OPTIONAL.has(path)
      const isUnreadable = texts.some((text) => text.value !== '' && text.value === value) || value === 'a\u0007b'
      const hint = isNeedless ? '; leave it out instead of null' : isUnreadable ? UNREADABLE : ''
      const said = `${rule}${hint}`
      const code = value === undefined ? 'required' : 'invalid'
      expect(error.details).toEqual({
        missing: [`recipient.${path} (${said})`],
        errors: [{ field: `recipient.${path}`, rule: said, code }],
      })
    })
  })
})

describe('POST /v1/payouts, 422 invalid_recipient: the whole', () => {
  it.each([
    { recipient: undefined, why: 'no recipient' },
    { recipient: null, why: 'null' },
    { recipient: [], why: 'a list' },
    { recipient: 'Amara Okafor', why: 'a string' },
    { recipient: 7, why: 'a number' },
    { recipient: {}, why: 'an empty recipient' },
  ])('names every required field for $why', async ({ recipient }) => {
    const error = await refused({ recipient })
    expect(error.code).toBe('invalid_recipient')
    expect(error.details.missing.toSorted()).toEqual(LEAVES.toSorted())
  })

  it.each([
    { part: 'address', value: undefined, why: 'missing' },
    { part: 'address', value: null, why: 'null' },
    { part: 'address', value: '1 High Street, Leeds', why: 'a string' },
    { part: 'address', value: [], why: 'a list' },
    { part: 'bank', value: undefined, why: 'missing' },
    { part: 'bank', value: {}, why: 'empty' },
    { part: 'bank', value: 'Monzo', why: 'a string' },
    { part: 'bank', value: ['Monzo', '040004', '12345678'], why: 'a list' },
  ])('names every required field of $part when it is $why', async ({ part, value }) => {
    const error = await refused({ recipient: recipientWith(part, value) })
    expect(error.code).toBe('invalid_recipient')
    expect(error.details.missing.toSorted()).toEqual(
      LEAVES.filter((leaf) => leaf.startsWith(`recipient.${part}.`)).toSorted(),
    )
  })

  it('names every wrong field at once, each one time, and none that is right', async () => {
    const recipient = aRecipient()
    const error = await refused({
      recipient: {
        ...recipient,
        first_name: '',
        nickname: 'Zeph',
        address: { line1: '1 High Street', city: 7 },
        bank: { ...recipient.bank, sort_code: '12-34-56', iban: 'GB00' },
      },
    })
    expect(error.details.missing.toSorted()).toEqual([
      'recipient.address.city (text)',
      'recipient.address.postal_code (text)',
      'recipient.bank.iban (not a known field)',
      'recipient.bank.sort_code (6 digits)',
      'recipient.first_name (1 to 80 characters)',
      'recipient.nickname (not a known field)',
    ])
  })

  it('says in words what it says in details, and never what was sent', async () => {
    const error = await refused({ recipient: recipientWith('bank.sort_code', '99-88-77') })
    expect(error.message).toBe('The recipient is incomplete or malformed: recipient.bank.sort_code (6 digits).')
    expect(JSON.stringify(error)).not.toContain('99-88-77')
  })

  it.each([
    { path: 'nickname', why: 'of the recipient' },
    { path: 'address.country', why: 'of the address' },
    { path: 'bank.iban', why: 'of the bank' },
    { path: 'First_Name', why: 'in another spelling' },
  ])('refuses the unknown field recipient.$path $why', async ({ path }) => {
    const error = await refused({ recipient: recipientWith(path, 'x') })
    expect(error).toMatchObject({
      code: 'invalid_recipient',
      details: { missing: [`recipient.${path} (not a known field)`] },
    })
  })
})

describe('POST /v1/payouts, 201 for a recipient at the edge of the rules', () => {
  it.each([
    { path: 'type', value: 'individual', why: 'the default, given' },
    { path: 'type', value: 'business', why: 'a business' },
    { path: 'type', value: undefined, why: 'not given' },
    { path: 'first_name', value: 'X', why: 'one character' },
    { path: 'first_name', value: 'x'.repeat(80), why: '80 characters' },
    { path: 'last_name', value: '😀'.repeat(80), why: '80 characters of two units each' },
    { path: 'last_name', value: "O'Connor-Ñandú 李", why: 'people have names like that' },
    { path: 'email', value: undefined, why: 'not given' },
    { path: 'address.line2', value: '', why: 'empty' },
    { path: 'address.line2', value: 'Flat 4', why: 'given' },
    { path: 'address.region', value: 'x'.repeat(80), why: '80 characters' },
    { path: 'address.region', value: '', why: 'empty' },
    { path: 'bank.sort_code', value: '000000', why: 'any six digits' },
    { path: 'bank.account_number', value: '00000001', why: 'any eight digits' },
  ])('accepts recipient.$path $value: $why', async ({ path, value }) => {
    expect(await accepted({ recipient: recipientWith(path, value) })).toBe(201)
  })
})

describe('POST /v1/payouts, 422 invalid_amount', () => {
  it.each([
    { amount: undefined, why: 'missing' },
    { amount: '0.99', why: 'below the smallest payout' },
    { amount: '0.00', why: 'nothing' },
    { amount: '20000.01', why: 'above the largest payout' },
    { amount: '99999999999999999999999.00', why: 'more than can be counted' },
    { amount: '-25.00', why: 'negative' },
    { amount: '25', why: 'no decimals' },
    { amount: '25.000', why: 'three decimals' },
    { amount: '25,00', why: 'a comma' },
    { amount: '2.5e1', why: 'an exponent' },
    { amount: ' 25.00', why: 'a space' },
    { amount: '25.00\n', why: 'a line end behind' },
    { amount: '٢٥.٠٠', why: 'digits of another script' },
    { amount: '', why: 'empty' },
    { amount: 25, why: 'a number, not a string' },
    { amount: 25.25, why: 'a float' },
    { amount: null, why: 'null' },
    { amount: true, why: 'a boolean' },
    { amount: ['25.00'], why: 'a list' },
    { amount: { gbp: '25.00' }, why: 'an object' },
  ])('refuses $amount: $why', async ({ amount }) => {
    expect((await refused({ amount_gbp: amount })).code).toBe('invalid_amount')
  })

  it.each([
    ['2500', 'is "2500"'],
    ['£25.00', 'is "£25.00"'],
    [undefined, 'is missing'],
    [25, 'is not a text'],
    ['9'.repeat(500), `is "${'9'.repeat(24)}"`],
  ])('says what came instead of pounds and pence: %s', async (amount, came) => {
    const { message } = await refused({ amount_gbp: amount })
    expect(message).toBe(`amount_gbp ${came}. Send pounds as text with two decimals, such as "120.50".`)
  })
})

describe('POST /v1/payouts, 422 corridor_not_enabled', () => {
  it.each([
    { country: 'FR', why: 'another country' },
    { country: 'gb', why: 'lower case' },
    { country: 'UK', why: 'not the code of the country' },
    { country: '', why: 'empty' },
    { country: null, why: 'null' },
    { country: 44, why: 'a number' },
    { country: ['GB'], why: 'a list' },
  ])('refuses $country: $why', async ({ country }) => {
    const error = await refused({ country })
    expect(error).toMatchObject({ code: 'corridor_not_enabled', details: { enabled_countries: ['GB'] } })
  })
})

describe('POST /v1/payouts, 422 invalid_request', () => {
  const REFERENCE = 'reference (at most 120 characters)'
  const CODE = 'confirm_code (6 digits)'
  const NOT_NULL = '; leave it out instead of null)'

  it.each([
    { body: { reference: 'x'.repeat(121) }, field: REFERENCE, why: 'too long' },
    { body: { reference: 'a\nb' }, field: REFERENCE.replace(')', `${UNREADABLE})`), why: 'a line end' },
    {
      body: { reference: 'a\u202eb' },
      field: REFERENCE.replace(')', `${UNREADABLE})`),
      why: 'a mark that turns the writing round',
    },
    { body: { reference: 1042 }, field: REFERENCE, why: 'a number' },
    { body: { reference: null }, field: REFERENCE.replace(')', NOT_NULL), why: 'null' },
    { body: { reference: ['x'] }, field: REFERENCE, why: 'a list' },
    { body: { confirm_code: '12345' }, field: CODE, why: 'a digit too few' },
    { body: { confirm_code: '1234567' }, field: CODE, why: 'a digit too many' },
    { body: { confirm_code: 'abcdef' }, field: CODE, why: 'letters' },
    { body: { confirm_code: 123456 }, field: CODE, why: 'a number' },
    { body: { confirm_code: '' }, field: CODE, why: 'empty' },
    { body: { confirm_code: null }, field: CODE.replace(')', NOT_NULL), why: 'null' },
    { body: { memo: 'x' }, field: 'memo (not a known field)', why: 'an unknown field' },
    { body: { amountGbp: '25.00' }, field: 'amountGbp (not a known field)', why: 'another spelling' },
    {
      body: { 'recipient.type': 'x' },
      field: 'recipient.type (not a known field)',
      why: 'a dot does not reach inside',
    },
    { body: { ['x'.repeat(500)]: 1 }, field: `${'x'.repeat(60)} (not a known field)`, why: 'a long name is cut short' },
    { body: { '': 1 }, field: ' (not a known field)', why: 'a field without a name' },
  ])('refuses $field when it is $why', async ({ body, field }) => {
    const error = await refused(body)
    expect(error).toMatchObject({ code: 'invalid_request', details: { fields: [field] } })
  })

  it.each([
    { body: '[]', why: 'a list' },
    { body: '"payout"', why: 'a string' },
    { body: 'null', why: 'null' },
    { body: '7', why: 'a number' },
    { body: 'true', why: 'a boolean' },
  ])('refuses a body that is $why', async ({ body }) => {
    const before = await balanceOf(test, partner)
    const reply = await post(test, partner, '/v1/payouts', body, { 'idempotency-key': anIdempotencyKey() })
    expect(await balanceOf(test, partner)).toBe(before)
    expect(reply.statusCode).toBe(422)
    expect(reply.json().error).toMatchObject({
      code: 'invalid_request',
      details: { fields: ['(body) (an object)'] },
    })
  })

  it.each(['x'.repeat(120), '😀'.repeat(120), '', 'Ünïcödé & "quotes"'])(
    'accepts the reference %s, which is within the rule',
    async (reference) => {
      expect(await accepted({ reference })).toBe(201)
    },
  )
})

describe('POST /v1/payouts, the order of the checks', () => {
  const wrong = {
    unknown: { memo: 'x' },
    country: { country: 'FR' },
    amountShape: { amount_gbp: 25 },
    amountRange: { amount_gbp: '0.50' },
    recipient: { recipient: {} },
    funds: { amount_gbp: '20000.00' },
    bank: { reference: 'sandbox:down' },
  }

  it.each([
    { both: { ...wrong.unknown, ...wrong.country }, code: 'invalid_request', why: 'shape before corridor' },
    { both: { ...wrong.country, ...wrong.amountShape }, code: 'corridor_not_enabled', why: 'corridor before amount' },
    { both: { ...wrong.country, ...wrong.amountRange }, code: 'corridor_not_enabled', why: 'corridor before range' },
    { both: { ...wrong.amountShape, ...wrong.recipient }, code: 'invalid_amount', why: 'amount before recipient' },
    { both: { ...wrong.amountRange, ...wrong.recipient }, code: 'invalid_amount', why: 'range before recipient' },
    { both: { ...wrong.funds, ...wrong.recipient }, code: 'invalid_recipient', why: 'recipient before funds' },
    { both: { ...wrong.funds, ...wrong.bank }, code: 'insufficient_funds', why: 'funds before bank' },
  ])('reports $code first: $why', async ({ both, code }) => {
    const before = await balanceOf(test, partner)
    const reply = await createPayout(test, partner, both)
    expect(await balanceOf(test, partner)).toBe(before)
    expect(reply.json().error.code).toBe(code)
  })

  it('reports a country that is not enabled for the account before the recipient', async () => {
    const own = await aPartner(test)
    await sql(test, `update partners set enabled_countries = '{}' where id = $1`, [own.id])
    const reply = await createPayout(test, own, { recipient: {} })
    expect(reply.json().error.code).toBe('corridor_not_enabled')
  })

  it('reports missing credentials before a missing key header and a broken body', async () => {
    const reply = await test.request({
      method: 'POST',
      url: '/v1/payouts',
      headers: { 'content-type': 'application/json' },
      payload: '{',
    })
    expect(reply.statusCode).toBe(401)
    expect(reply.json().error.code).toBe('unauthorized')
  })

  it('reports a suspended partner before a missing key header', async () => {
    const own = await aPartner(test)
    await changePartnerStatus(test.deps, own.slug, 'suspended')
    const reply = await post(test, own, '/v1/payouts', '{')
    expect(reply.statusCode).toBe(403)
    expect(reply.json().error.code).toBe('partner_not_active')
  })

  it.each([
    { payload: '{', type: 'application/json', why: 'a broken body' },
    { payload: 'x', type: 'text/plain', why: 'a body of another kind' },
    { payload: ' '.repeat(40_000), type: 'application/json', why: 'a body that is too large' },
  ])('reports a missing key header before $why', async ({ payload, type }) => {
    const reply = await post(test, partner, '/v1/payouts', payload, { 'content-type': type })
    expect(reply.statusCode).toBe(400)
    expect(reply.json().error.code).toBe('idempotency_key_required')
  })

  it('reports a broken body before a wrong shape', async () => {
    const body = JSON.stringify(aPayoutBody({ memo: 'x' })).slice(0, -1)
    const reply = await post(test, partner, '/v1/payouts', body, { 'idempotency-key': anIdempotencyKey() })
    expect(reply.statusCode).toBe(400)
    expect(reply.json().error.code).toBe('invalid_json')
  })
})
