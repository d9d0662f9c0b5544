import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { AppError } from '../../src/core/errors.ts'
import { parseStrictJson } from '../../src/http/body/strict-json.ts'

function refusal(body: string | Buffer): { code: string; message: string } {
  try {
    parseStrictJson(Buffer.from(body))
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error(`${String(body).slice(0, 60)} was accepted`)
}

/** Keys and strings that JSON.parse and PostgreSQL both keep as they are. */
const plainText = fc.string({ unit: 'grapheme' }).filter((text) => text.isWellFormed() && !text.includes('\u0000'))
const plainKey = plainText.filter((key) => key !== '__proto__' && key !== 'constructor')
const { value: anyJson } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    plainText,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(plainKey, tie('value'), { maxKeys: 6, noNullPrototype: true }),
  ),
}))

describe('parseStrictJson', () => {
  it('reads whatever JSON.parse reads, to the same value', () => {
    fc.assert(
      fc.property(anyJson, fc.constantFrom(undefined, 1, '\t', '\r\n'), (value, space) => {
        const text = JSON.stringify(value, null, space)
        expect(parseStrictJson(Buffer.from(text))).toEqual(JSON.parse(text))
      }),
      { numRuns: 500 },
    )
  })

  it('reads the same value when every character of every string is escaped', () => {
    const escaped = (text: string) =>
      `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`
    fc.assert(
      fc.property(fc.dictionary(plainKey, plainText, { noNullPrototype: true }), (value) => {
        const members = Object.entries(value).map(([key, member]) => `${escaped(key)}:${escaped(member)}`)
        expect(parseStrictJson(Buffer.from(`{${members.join(',')}}`))).toEqual(value)
      }),
    )
  })

  it('refuses any object that names any field twice, however it is written', () => {
    fc.assert(
      fc.property(plainKey, anyJson, anyJson, (key, one, other) => {
        const name = JSON.stringify(key)
        const again = `"${[...key]
          .map((each) =>
            each
              .split('')
              .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
              .join(''),
          )
          .join('')}"`
        const body = `[{"x${key.length}x":1,${name}:${JSON.stringify(one)},${again}:${JSON.stringify(other)}}]`
        fc.pre(key !== `x${key.length}x`)
        expect(refusal(body)).toMatchObject({ code: 'invalid_json', message: expect.stringMatching(/twice\.$/) })
      }),
    )
  })

  it('throws nothing but invalid_json, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        let code = 'accepted'
        try {
          parseStrictJson(Buffer.from(bytes))
        } catch (error) {
          code = error instanceof AppError ? error.code : String(error)
        }
        expect(['accepted', 'invalid_json']).toContain(code)
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([
    { body: '{"a":{"x":1},"b":{"x":1}}', why: 'in two objects' },
    { body: '[{"x":1},{"x":1}]', why: 'in two objects of a list' },
    { body: '{"x":{"x":{"x":1}}}', why: 'in objects inside each other' },
    { body: '{"a":"x","x":"a"}', why: 'once as a name and once as a value' },
    { body: '{"a":["x","x"],"x":1}', why: 'among the strings of a list' },
    { body: '{"a":"\\"x\\":1","x":1}', why: 'inside a string' },
    { body: '{"x":1,"X":2}', why: 'in upper case' },
    { body: '{"é":1,"e\\u0301":2}', why: 'composed and decomposed' },
    { body: '{"":1," ":2}', why: 'empty and a space' },
  ])('accepts a name that occurs again $why: $body', ({ body }) => {
    expect(parseStrictJson(Buffer.from(body))).toEqual(JSON.parse(body))
  })

  it.each([
    { body: '{"a":1,"a":1}', name: '"a"', why: 'the same value' },
    { body: '{"a":1 , "b":2 , "a" : 3}', name: '"a"', why: 'with others between' },
    { body: '{"b":{"a":1,"a":2}}', name: '"a"', why: 'one level down' },
    { body: '[[{"a":1,"a":2}]]', name: '"a"', why: 'in lists' },
    { body: '{"a":1,"\\u0061":2}', name: '"a"', why: 'escaped' },
    { body: '{"":1,"":2}', name: '""', why: 'the empty name' },
    { body: '{"a":{"b":1},"c":[1,{"d":2}],"a":3}', name: '"a"', why: 'after nested values' },
    { body: '{"\\"":1,"\\u0022":2}', name: '"\\""', why: 'a quotation mark' },
    { body: '{"\\\\":1,"\\u005c":2}', name: '"\\\\"', why: 'a backslash' },
  ])('refuses a field named twice: $why', ({ body, name }) => {
    expect(refusal(body)).toEqual({ code: 'invalid_json', message: `The body names the field ${name} twice.` })
  })

  it('cuts the name short that it complains about', () => {
    const name = 'x'.repeat(1_000)
    expect(refusal(`{"${name}":1,"${name}":2}`).message).toBe(`The body names the field "${'x'.repeat(60)}" twice.`)
  })

  it.each([
    { body: '', why: 'nothing' },
    { body: ' \n\t\r ', why: 'white space' },
  ])('says that the body is empty for $why', ({ body }) => {
    expect(refusal(body).message).toBe('The body is empty. Send a JSON object.')
  })

  it.each([
    { body: '{', why: 'cut short' },
    { body: '{"a":1,}', why: 'a comma too many' },
    { body: "{'a':1}", why: 'other quotation marks' },
    { body: '{a:1}', why: 'a name without them' },
    { body: '{"a":01}', why: 'a leading zero' },
    { body: '{"a":+1}', why: 'a plus' },
    { body: '{"a":NaN}', why: 'not a number' },
    { body: '{"a":"\t"}', why: 'a raw tab in a string' },
    { body: '{"a":"\\x41"}', why: 'an escape that JSON does not have' },
    { body: '{"a":1} {"b":2}', why: 'two documents' },
    { body: '{"a":1}//', why: 'a comment' },
    { body: '{"__proto__":{"admin":true}}', why: '__proto__' },
    { body: '{"a":{"__proto__":null}}', why: '__proto__ further down' },
    { body: '{"\\u005f_proto__":{}}', why: '__proto__ escaped' },
    { body: '{"constructor":{"prototype":{"admin":true}}}', why: 'constructor.prototype' },
    { body: '{"a":{"constructor":{"prototype":{}}}}', why: 'constructor.prototype further down' },
    { body: '{"\\u0063onstructor":{"\\u0070rototype":{}}}', why: 'constructor.prototype escaped' },
  ])('says that the body is not valid JSON: $why', ({ body }) => {
    expect(refusal(body)).toEqual({ code: 'invalid_json', message: 'The body is not valid JSON.' })
    expect('admin' in {}).toBe(false)
  })

  it('says that a body begins with a byte order mark', () => {
    expect(refusal('\ufeff{"a":1}')).toMatchObject({
      code: 'invalid_json',
      message: expect.stringContaining('byte order'),
    })
  })

  it.each([
    { bytes: [0x22, 0xff, 0x22], why: 'a byte that UTF-8 never has' },
    { bytes: [0x22, 0xc3, 0x22], why: 'half a character' },
    { bytes: [0x22, 0xc0, 0x80, 0x22], why: 'an overlong NUL' },
    { bytes: [0x22, 0xed, 0xa0, 0x80, 0x22], why: 'an encoded surrogate' },
    { bytes: [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], why: 'beyond the last character' },
    { bytes: [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00], why: 'UTF-16' },
    { bytes: [0x22, 0xe9, 0x22], why: 'Latin-1' },
  ])('says that the body is not valid UTF-8: $why', ({ bytes }) => {
    expect(refusal(Buffer.from(bytes))).toEqual({ code: 'invalid_json', message: 'The body is not valid UTF-8.' })
  })

  it.each(['{"a":"\\u0000"}', '{"a\\u0000":1}', '["x\\u0000y"]'])('refuses NUL: %s', (body) => {
    expect(refusal(body).message).toBe('The body holds a NUL character.')
  })

  it.each(['{"a":"\\ud800"}', '{"a":"\\udc00"}', '{"\\ud83d":1}', '["\\udc00\\ud83d"]'])(
    'refuses half of a surrogate pair: %s',
    (body) => {
      expect(refusal(body).message).toBe('The body holds half of a surrogate pair.')
    },
  )

  it('accepts a whole pair', () => {
    expect(parseStrictJson(Buffer.from('"\\ud83d\\ude00"'))).toBe('😀')
  })

  it('accepts 32 levels and refuses 33, of lists and of objects', () => {
    const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    const objects = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)
    for (const nested of [lists, objects]) {
      expect(parseStrictJson(Buffer.from(nested(32)))).toEqual(JSON.parse(nested(32)))
      expect(refusal(nested(33)).message).toBe('The body is nested deeper than 32 levels.')
    }
  })

  it('is not brought down by ten thousand levels', () => {
    expect(refusal('['.repeat(10_000) + ']'.repeat(10_000)).message).toBe('The body is nested deeper than 32 levels.')
    expect(refusal('['.repeat(10_000)).code).toBe('invalid_json')
  })

  it('does not count brackets inside strings', () => {
    const body = JSON.stringify({ a: '[{'.repeat(100) })
    expect(parseStrictJson(Buffer.from(body))).toEqual(JSON.parse(body))
  })
})
