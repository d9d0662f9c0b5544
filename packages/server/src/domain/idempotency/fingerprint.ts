// When is a repeated request the same request? When every leaf of the body is, with defaults filled in; the order
// of fields, white space and escapes do not count. Compared by a keyed hash, because the body holds bank details.
import { keyedHash } from '../../core/seal.ts'

type Leaf = string | number | boolean | null
export type Canonical = Leaf | readonly Canonical[] | { readonly [name: string]: Canonical | undefined }

export function fingerprintOf(key: Buffer, purpose: string, body: Canonical): Buffer {
  return keyedHash(key, `${purpose}\n${canonicalText(body)}`)
}

/** JSON with the names of every object sorted, at every depth. */
export function canonicalText(value: Canonical): string {
  const sorted = inOrder(value)
  return sorted === undefined ? writtenInOrder(value) : JSON.stringify(sorted)
}

/**
 * The same with its fields in the order of their names, which JSON.stringify keeps: writing all of it at once takes half as long as
 * leaf by leaf. Undefined where a name could be a number, which JavaScript puts first, or one of its own.
 */
function inOrder(value: Canonical): Canonical | undefined {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => inOrder(item as Canonical))
    return items.includes(undefined) ? undefined : (items as Canonical[])
  }
  const members = value as Readonly<Record<string, Canonical | undefined>>
  const sorted: Record<string, Canonical> = {}
  for (const name of namesInOrder(members)) {
    const member = members[name]
    if (member === undefined) continue
    const inside = inOrder(member)
    // Small letters and what comes after them.
    if (inside === undefined || !(name.charCodeAt(0) >= 0x61)) return undefined
    sorted[name] = inside
  }
  return sorted
}

/** Objects of a request have few names: putting each in its place takes no memory, and sorting does. */
function namesInOrder(members: object): string[] {
  const names = Object.keys(members)
  for (let from = 1; from < names.length; from++) {
    const name = names[from]!
    let at = from
    for (; at > 0 && names[at - 1]! > name; at--) names[at] = names[at - 1]!
    names[at] = name
  }
  return names
}

function writtenInOrder(value: Canonical): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => writtenInOrder(item as Canonical)).join(',')}]`
  const members = value as Readonly<Record<string, Canonical | undefined>>
  let text = ''
  for (const name of namesInOrder(members)) {
    const member = members[name]
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${writtenInOrder(member)}`
  }
  return `{${text}}`
}

/** The names of the fields in which two bodies differ, never their values. */
export function differingFields(a: Canonical, b: Canonical): string[] {
  const left = leaves(a)
  const right = leaves(b)
  const names = new Set([...left.keys(), ...right.keys()])
  return [...names].filter((name) => left.get(name) !== right.get(name)).toSorted()
}

function leaves(value: Canonical, path = '', found = new Map<string, string>()): Map<string, string> {
  if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (member !== undefined) leaves(member, path === '' ? name : `${path}.${name}`, found)
    }
  } else {
    found.set(path, JSON.stringify(value))
  }
  return found
}
