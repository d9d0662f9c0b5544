import { describe, expect, it } from 'vitest'

import { Mask } from './mask.ts'

const masked = (value: unknown) => new Mask().value(value)

describe('what is told of a request', () => {
  it('is what names, accounts and secrets have no part in, and of those the shape', () => {
    expect(
      masked({
        amount_gbp: '25.00',
        reference: 'Rent for 12B',
        recipient: {
          first_name: 'Zoë',
          email: 'zoe@example.test',
          bank: { sort_code: '11-22-48', account_number: '98765432' },
        },
        confirm_code: '123456',
        scopes: ['read', 'pay'],
        limit: 20,
        cancelable: true,
        label: null,
      }),
    ).toEqual({
      amount_gbp: '25.00',
      reference: '**** *** ***',
      recipient: {
        first_name: '***',
        email: '***@*******.****',
        bank: { sort_code: '**-**-**', account_number: '********' },
      },
      confirm_code: '[secret]',
      scopes: ['read', 'pay'],
      limit: 20,
      cancelable: true,
      label: null,
    })
  })

  it.each([
    ['an account number where an amount belongs', { amount_gbp: '98765432' }, { amount_gbp: '********' }],
    ['a code where a word belongs', { code: '123456' }, { code: '******' }],
    ['a name where an id belongs', { payout_id: 'Zephyrine' }, { payout_id: '*********' }],
    ['a number where text belongs', { account_number: 98_765_432 }, { account_number: '[a number]' }],
    ['a number that is too long to count anything', { seconds: 98_765_432 }, { seconds: '[a number]' }],
    [
      'an account where a part or an amount belongs, as a number',
      { recipient: { account: 1_234_567, bank: 112_248 }, amount_gbp: 112_248 },
      { recipient: { account: '[a number]', bank: '[a number]' }, amount_gbp: '[a number]' },
    ],
    [
      'a key of the API',
      { idempotency_key: 'kp_live_0a1b2c', cursor: `kp_sandbox_${'0'.repeat(48)}` },
      {
        idempotency_key: '**_****_******',
        cursor: `**_*******_${'*'.repeat(48)}`,
      },
    ],
    ['the secret of an endpoint', { idempotency_key: 'order-whsec_0a1b2c' }, { idempotency_key: '*****-*****_******' }],
    [
      'an IBAN',
      { idempotency_key: 'order:gb29-nwbk-60161331926819', cursor: 'GB29NWBK60161331926819' },
      {
        idempotency_key: '*****:****-****-**************',
        cursor: '*'.repeat(22),
      },
    ],
    ['an IBAN of another country', { idempotency_key: 'DE89370400440532013000' }, { idempotency_key: '*'.repeat(22) }],
    ['a field that nobody knows, and its name', { Zephyrine: 'Quill' }, { '*********': '*****' }],
    ['an object under such a name', { Zephyrine: { id: 'x' } }, { '*********': '[not a known field]' }],
    ['a secret of another type', { secret: { a: 1 } }, { secret: '[secret]' }],
    [
      'text that a caller wrote under a name of ours',
      { note: 'Zephyrine', message: 'x' },
      { note: '*********', message: '*' },
    ],
    ['half of a character, and NUL', { first_name: '\uD83D\u0000' }, { first_name: '**' }],
  ])('is not %s', (_what, given, told) => {
    expect(masked(given)).toEqual(told)
  })

  it('is a key or a cursor as programs make them', () => {
    const keys = {
      idempotency_key: 'ab12cd3f00112233445566778899aabb',
      cursor: 'MjAyNi0xMS0xNlQyMDowMDowMC4wMDBa',
      limit: 99_999,
    }
    expect(masked(keys)).toEqual(keys)
  })

  it('is told when it chooses an outcome, or is an amount without its pence', () => {
    expect(masked({ reference: 'sandbox:return', amount_gbp: '25' })).toEqual({
      reference: 'sandbox:return',
      amount_gbp: '25',
    })
  })
})

describe('our own words about a request', () => {
  it('do not repeat what was hidden in it, nor anything long that looks like an account', () => {
    const mask = new Mask()
    mask.value({ recipient: { Quillfeather: 1, bank: { bank_name: 'Monzo' } } })
    expect(
      mask.answer({
        error: { message: 'recipient.Quillfeather (not a known field); Monzo, 98765432, z@example.test' },
      }),
    ).toEqual({ error: { message: 'recipient.************ (not a known field); *****, ********, *@*******.****' } })
  })

  it('do not repeat the rest of a text either, when another that was hidden is a part of it', () => {
    const mask = new Mask()
    mask.value({ recipient: { first_name: 'Ann', last_name: 'Annabel Smith' } })
    expect(mask.answer({ message: 'Annabel Smith is no name for Ann.' })).toEqual({
      message: '******* ***** is no name for ***.',
    })
  })

  it('do not put back what was hidden, whatever signs are in it', () => {
    const mask = new Mask()
    mask.value({ first_name: 'Quill $& $` $1' })
    expect(mask.answer({ message: 'Not a name: Quill $& $` $1.' })).toEqual({ message: 'Not a name: ***** $& $` $*.' })
  })

  it.each([200, 100, 61, 60, 41, 24])('do not repeat %i characters of a long text', (length) => {
    const mask = new Mask()
    const long = 'a-b '.repeat(200)
    mask.value({ url: `${'a-b '.repeat(10)}c`, description: long })
    const { message } = mask.answer({ message: `No: ${long.slice(0, length)}!` }) as { message: string }
    expect(message).toMatch(/^No: \*[* …-]+!$/)
  })

  it('do not repeat what was hidden as JSON writes it', () => {
    const mask = new Mask()
    const amount = '"11-22-48 Jane"'
    mask.value({ amount_gbp: amount })
    const words = `amount_gbp is ${JSON.stringify(amount)}. Send "120.50". The body names "a\\"Quill" twice.`
    expect(mask.answer({ message: words })).toEqual({
      message: String.raw`amount_gbp is "\"**-**-** ****\"". Send "120.50". The body names "*\"*****" twice.`,
    })
  })

  it('do not name the host of an address that was hidden', () => {
    const mask = new Mask()
    mask.value({ url: 'https://Quill-Jane.internal/x' })
    expect(mask.answer({ message: 'quill-jane.internal is a name inside of a network' })).toEqual({
      message: '*****-****.******** is a name inside of a network',
    })
  })

  it('are not told at all when the request hides more than is looked for', () => {
    const mask = new Mask()
    const many = Array.from({ length: 4_500 }, (_, index) => `Quill${index}`)
    mask.value({ events: many })
    expect(mask.isFull).toBe(true)
    expect(mask.answer({ code: 'invalid_request', message: 'No: Quill4400' })).toEqual({
      code: 'invalid_request',
      message: '**: *********',
    })
  })

  it('quote names of fields and amounts, and nothing else', () => {
    const mask = new Mask()
    expect(
      mask.words('amount_gbp is "12". Send "120.50". The body names the field "Quill" twice, and "country".'),
    ).toBe('amount_gbp is "12". Send "120.50". The body names the field "*****" twice, and "country".')
  })
})
