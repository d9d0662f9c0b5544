// Values that fit a schema, and values that somebody would send to see what breaks.
import { writeCursor } from '../../src/core/cursor.ts'
import type { Chance } from './chance.ts'
import type { SchemaNode } from './operations.ts'

type Schemas = Readonly<Record<string, SchemaNode>>

export const NASTY: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\u200b',
  '\u3164',
  '\u202eabc',
  '\ud83d',
  '\udc00x',
  '\ufffd\uffff',
  '👩‍👩‍👧‍👦'.repeat(20),
  'Ω≈ç√∫˜µ≤≥÷',
  `'; drop table payouts; --`,
  '%s%n%x',
  '${7*7}',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'NaN',
  '-0',
  '1e309',
  '0x10',
  '99999999999999999999999999999999',
  '٣',
  '²',
  'null',
  '[object Object]',
  'x'.repeat(5_000),
  '\\',
  '"',
  '\r\nX: y',
  '0000-01',
  '0000-00-00',
  '9999-12-31',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '2026-02-30',
  '2026-12-31T23:59:60Z',
  '-271821-04-20T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '2026-13',
  '9999-12',
  '_-FN9z0kAAAAAAAAAAAAAAAAAAAAAAAA',
  'AB6yCMLcAAAAAAAAAAAAAAAAAAAAAAAA',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  Buffer.from('99999999999999.9223372036854775807').toString('base64url'),
  Buffer.from('999999999999999.999999999999999999').toString('base64url'),
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  '{01a1946c-7be0-76f0-b316-00a35a099950}',
  '0.00',
  '-1.00',
  '99999999999.99',
  '9'.repeat(400) + '.00',
  '%',
  '\\u0000',
]

export function oddText(chance: Chance): string {
  switch (chance.below(5)) {
    case 0:
      return writeCursor(
        new Date(Math.floor((chance.next() - 0.5) * 2 * 8.64e15)),
        '01a1946c-7be0-76f0-b316-00a35a099950',
      )
    case 1:
      return String.fromCharCode(...Array.from({ length: chance.below(12) }, () => chance.below(65_536)))
    case 2:
      return `${chance.below(10_000)}-${chance.below(15)}-${chance.below(34)}T${chance.below(26)}:00:00Z`
    default:
      return chance.of(NASTY)
  }
}

export function aValue(schema: SchemaNode, chance: Chance, schemas: Schemas): unknown {
  const node = schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? '']!
  if (node.const !== undefined) return node.const
  if (node.enum !== undefined) return chance.of(node.enum)
  const type = Array.isArray(node.type) ? chance.of(node.type as readonly string[]) : String(node.type)
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(node.properties ?? {})
          .filter(([name]) => node.required?.includes(name) === true || chance.oneIn(2))
          .map(([name, field]) => [name, aValue(field, chance, schemas)]),
      )
    case 'array':
      return Array.from({ length: chance.below(4) }, () => aValue(node.items ?? {}, chance, schemas))
    case 'integer':
    case 'number':
      return chance.of([1, 7, 30, 50, 200])
    case 'boolean':
      return chance.oneIn(2)
    case 'null':
      return null
    default:
      return aText(node, chance)
  }
}

function aText({ examples, format, pattern }: SchemaNode, chance: Chance): string {
  if (examples !== undefined && examples.length > 0) return String(chance.of(examples))
  if (format === 'email') return `somebody-${chance.below(50)}@thistle.test`
  if (format === 'date-time') return '2026-11-01T00:00:00Z'
  if (format === 'uuid') return '01a1946c-7be0-76f0-b316-00a35a099950'
  if (pattern === '^\\d+\\.\\d{2}$') return '25.00'
  return chance.of(['Amara', 'Leeds', 'order'])
}

/** A valid value with one place changed. */
export function mutated(value: unknown, chance: Chance): unknown {
  const isLeaf = typeof value !== 'object' || value === null
  if (isLeaf || chance.oneIn(6)) return nonsense(chance)
  if (Array.isArray(value)) return [...value, nonsense(chance)]
  const object = { ...(value as Record<string, unknown>) }
  const names = Object.keys(object)
  const name = names.length === 0 ? 'x' : chance.of(names)
  const what = chance.below(6)
  if (what === 0) delete object[name]
  else if (what === 1) object[oddText(chance)] = nonsense(chance)
  else object[name] = mutated(object[name], chance)
  return object
}

function nonsense(chance: Chance): unknown {
  return chance.of<() => unknown>([
    () => oddText(chance),
    () => oddText(chance),
    () => chance.below(1e9) / 7,
    () => -1,
    () => null,
    () => true,
    () => [],
    () => ({}),
    () => [oddText(chance), { deep: [[[[oddText(chance)]]]] }],
  ])()
}
