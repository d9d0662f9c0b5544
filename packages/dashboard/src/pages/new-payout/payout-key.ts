// The idempotency key of the form that is open. It is made once, when the form opens, and kept until there is a final
// answer: a double click, a reload and a second try after silence all carry the same key, and so pay once.
import type { Scope } from '../../server/client.ts'

export interface PayoutKey {
  readonly key: string
  /** A request with this key has left the browser. */
  readonly wasSent: boolean
}

type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const nameOf = ({ slug, environment }: Scope) => `kestrel.payout-key.${slug}.${environment}`

/** For browsers without storage: the key then lasts as long as the page. */
const memory = new Map<string, string>()

function write(shelf: Shelf, name: string, value: string): void {
  memory.set(name, value)
  try {
    shelf.setItem(name, value)
  } catch {
    // The copy in memory still protects against the second click.
  }
}

function read(shelf: Shelf, name: string): PayoutKey | null {
  try {
    const found = JSON.parse(shelf.getItem(name) ?? memory.get(name) ?? 'null') as PayoutKey | null
    return found !== null && typeof found.key === 'string' ? found : null
  } catch {
    return null
  }
}

/** The key of the form: the one that is there, or a new one. */
export function openKey(scope: Scope, shelf: Shelf = sessionStorage): PayoutKey {
  const found = read(shelf, nameOf(scope))
  if (found !== null) return found
  const fresh = { key: `dashboard-${randomHex()}`, wasSent: false }
  write(shelf, nameOf(scope), JSON.stringify(fresh))
  return fresh
}

export function markSent(scope: Scope, shelf: Shelf = sessionStorage): void {
  write(shelf, nameOf(scope), JSON.stringify({ ...openKey(scope, shelf), wasSent: true }))
}

/** After a final answer, and never before. */
export function closeKey(scope: Scope, shelf: Shelf = sessionStorage): void {
  memory.delete(nameOf(scope))
  try {
    shelf.removeItem(nameOf(scope))
  } catch {
    // Nothing was kept there.
  }
}

/** `randomUUID` exists only where the page is served over https or from this machine. */
function randomHex(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
