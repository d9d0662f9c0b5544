// No text costs more than its length: the longest ones that each operation takes, of letters that grow when they are taken
// apart. What is counted is how many characters the service makes of them, which is the same on every machine.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { PUBLIC_URL, type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, anIdempotencyKey } from '../support/fixtures.ts'
import { signedIn } from '../support/sessions.ts'
import { Chance } from './chance.ts'
import { type EdgeOperation, type SchemaNode, documentOf, edgeOperations } from './operations.ts'
import { aValue } from './odd-values.ts'

/** Where a schema names no length, as much as fits five times into a body. */
const UNBOUNDED = 1_400
/** U+FDFA becomes 18 letters, and each may be looked at a few times. */
const MOST_PER_CHARACTER = 150
const ASIDE = 250_000
const LONGEST_ANSWER = 40_000

const PATTERNS: readonly (readonly [what: string, letters: string])[] = [
  ['a letter that becomes eighteen', '\uFDFA'],
  ['a letter with a heap of accents', 'a\u0344\u0344\u0344'],
  ['letters that are spelt as two', 'ßæ'],
  ['words that are shortened', 'limited '],
  ['words of one letter', [...'abcdefghijklmnopqrstuvwxyz'].join(' ')],
  ['letters of two halves', '𝔄'],
]

let test: TestApp
let partner: TestPartner
let cookie: string
beforeAll(async () => {
  test = await startTestApp()
  partner = await aPartner(test)
})
beforeEach(async () => {
  // One of the operations signs the session out.
  cookie = (await signedIn(test, partner)).cookie
})
afterAll(() => test.close())

const MAKERS = ['normalize', 'slice', 'substring', 'replace', 'replaceAll', 'toLowerCase', 'padEnd', 'repeat'] as const

/** How many characters the work makes by any of the functions that make a text of another. */
async function charactersMade(work: () => Promise<unknown>): Promise<number> {
  const prototype = String.prototype as unknown as Record<string, (...given: unknown[]) => string>
  const originals = MAKERS.map((name) => [name, prototype[name]!] as const)
  let made = 0
  for (const [name, original] of originals) {
    prototype[name] = function counted(this: string, ...given: unknown[]) {
      const text = original.apply(this, given)
      made += text.length
      return text
    }
  }
  try {
    await work()
  } finally {
    for (const [name, original] of originals) prototype[name] = original
  }
  return made
}

const longest = (letters: string, most: number) => [...letters.repeat(most)].slice(0, most).join('').trim()

/** Every free text of a body at its longest. Texts with a fixed form, such as ids, stay as they are. */
function filled(schema: SchemaNode, letters: string): unknown {
  const schemas = documentOf(test).components.schemas
  const node = schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? '']!
  if (node.properties !== undefined) {
    const fields = Object.entries(node.properties).filter(([name]) => name !== 'confirm_code')
    return Object.fromEntries(fields.map(([name, field]) => [name, filled(field, letters)]))
  }
  const isText = [node.type].flat().includes('string') && node.enum === undefined && node.format === undefined
  const isFree = isText && (node.pattern === undefined || node.pattern.includes('\\p{C}'))
  return isFree ? longest(letters, node.maxLength ?? UNBOUNDED) : aValue(schema, new Chance(1), schemas)
}

function sent(operation: EdgeOperation, letters: string) {
  const headers =
    operation.access.auth === 'key'
      ? { authorization: `Bearer ${partner.key}`, 'idempotency-key': anIdempotencyKey() }
      : { cookie, origin: PUBLIC_URL }
  // The other texts in queries have a fixed form, so a long one is refused.
  const query = operation.query
    .filter(({ name }) => name === 'q')
    .map(({ name, schema }) => `${name}=${encodeURIComponent(longest(letters, schema.maxLength ?? UNBOUNDED))}`)
  const path = operation.path.replaceAll(/\{\w+\}/g, encodeURIComponent(longest(letters, 30)))
  return {
    method: operation.method,
    url: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: { ...headers, ...(operation.body === null ? {} : { 'content-type': 'application/json' }) },
    ...(operation.body === null ? {} : { payload: JSON.stringify(filled(operation.body, letters)) }),
  } as const
}

it.each(PATTERNS)('no operation makes much of %s', async (_, letters) => {
  const taken: string[] = []
  const dear: string[] = []
  for (const operation of edgeOperations(test)) {
    if (operation.access.isEndless === true || operation.takesBytes) continue
    const request = sent(operation, letters)
    let size = 0
    const made = await charactersMade(async () => {
      const reply = await test.app.inject(request)
      if (reply.statusCode === 500) dear.push(`${operation.name}: ${reply.body}`)
      if (reply.statusCode < 300) taken.push(operation.id)
      size = reply.body.length
    })
    const given = request.url.length + (request.payload?.length ?? 0)
    if (made > given * MOST_PER_CHARACTER + ASIDE) dear.push(`${operation.name}: ${made} of ${given}`)
    // An answer shows what was sent to it, not more than that.
    if (operation.body !== null && size > LONGEST_ANSWER) dear.push(`${operation.name}: an answer of ${size}`)
  }
  expect(dear).toEqual([])
  expect(taken).toEqual(expect.arrayContaining(['createPayout', 'createQuote', 'listPayouts']))
})
