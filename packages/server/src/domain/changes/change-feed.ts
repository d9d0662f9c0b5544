// Tells open dashboards what has just changed. While any is open, one query per second covers all of them; otherwise
// nothing is asked.
import { type Clock, after, sleep } from '../../core/clock.ts'
import { forgetOldest } from '../../core/forget-oldest.ts'
import type { MicroUsdc } from '../../core/money.ts'
import { lowestIdAt } from '../../core/ids.ts'
import { type Scope, scopeKey } from '../../core/scope.ts'
import { type ChangedPayout, listChanges } from '../../storage/changes.ts'
import type { Db } from '../../storage/sql.ts'

export interface StreamedPayout extends Pick<ChangedPayout, 'id' | 'status' | 'updatedAt'> {
  readonly kind: 'payout'
}

export type Change =
  | StreamedPayout
  | { readonly kind: 'balance'; readonly available: MicroUsdc }
  | { readonly kind: 'pause'; readonly pausedAt: Date | null }
  /** There are events up to this position. */
  | { readonly kind: 'events'; readonly position: bigint }

export interface ChangeFeed {
  /** Calls `onChange` with every change in a wallet, until the returned function is called. */
  subscribe(scope: Scope, onChange: (change: Change) => void): () => void
}

const EVERY_MS = 1_000
/** A page reads before it listens: what changed in between, and in the seconds before, is told to whoever begins to listen. */
const OVERLAP_MS = 12_000
const MOST_EACH = 200

interface Watched {
  readonly scope: Scope
  readonly listeners: Set<(change: Change) => void>
  readonly since: Date
  /** Every event up to this position has been told; null: none has been looked at. */
  position: bigint | null
  /** The newest of what was told in the last seconds, the oldest first. A later listener is told it again. */
  readonly told: Map<string, StreamedPayout>
  available: MicroUsdc | null
  /** In milliseconds; 0 while payouts go out, null: not looked at yet. */
  pausedAtMs: number | null
}

export function createChangeFeed(
  deps: { db: Db; clock: Clock; everyMs?: number },
  onProblem: (error: unknown) => void,
): ChangeFeed {
  const watched = new Map<string, Watched>()
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    while (watched.size > 0) {
      await lookOnce(deps, [...watched.values()]).catch(onProblem)
      await sleep(deps.everyMs ?? EVERY_MS)
    }
    isRunning = false
  }

  return {
    subscribe(scope, onChange) {
      const key = scopeKey(scope)
      const own: Watched = watched.get(key) ?? {
        scope,
        listeners: new Set(),
        since: after(deps.clock.now(), -OVERLAP_MS),
        position: null,
        told: new Map(),
        available: null,
        pausedAtMs: null,
      }
      for (const change of own.told.values()) onChange(change)
      if (own.pausedAtMs) onChange({ kind: 'pause', pausedAt: new Date(own.pausedAtMs) })
      own.listeners.add(onChange)
      watched.set(key, own)
      if (!isRunning) void run()
      return () => {
        own.listeners.delete(onChange)
        if (own.listeners.size === 0) watched.delete(key)
      }
    },
  }
}

async function lookOnce(deps: { db: Db; clock: Clock }, all: readonly Watched[]): Promise<void> {
  const looked = all.map(({ scope, position, since }) => ({ scope, position, sinceId: lowestIdAt(since) }))
  const { payouts, wallets } = await listChanges(deps.db, looked, MOST_EACH)
  const byKey = new Map(all.map((own) => [scopeKey(own.scope), own]))
  // Oldest first, as they happened.
  for (const payout of payouts.toReversed()) tellPayout(byKey.get(scopeKey(payout))!, payout)
  for (const wallet of wallets) {
    const own = byKey.get(scopeKey(wallet))!
    tellBalance(own, wallet.available)
    tellPause(own, wallet.pausedAt)
    tellPosition(own, wallet.position)
  }
  const old = after(deps.clock.now(), -2 * OVERLAP_MS)
  for (const own of all) {
    for (const [what, { updatedAt }] of own.told) if (updatedAt < old) own.told.delete(what)
  }
}

function tellPayout(own: Watched, { id, status, updatedAt }: ChangedPayout): void {
  const what = `${id} ${status} ${updatedAt.getTime()}`
  if (own.told.has(what)) return
  const change: StreamedPayout = { kind: 'payout', id, status, updatedAt }
  own.told.set(what, change)
  // A newcomer is told all of them before he can take any: of very many he would be told more than may wait for him.
  forgetOldest(own.told, MOST_EACH)
  for (const tell of own.listeners) tell(change)
}

/** The first reading is the starting point and is not told. */
function tellBalance(own: Watched, available: MicroUsdc): void {
  const isNews = own.available !== null && own.available !== available
  own.available = available
  if (isNews) for (const tell of own.listeners) tell({ kind: 'balance', available })
}

/** A pause that holds at the first reading is told: the page may have read before it. */
function tellPause(own: Watched, pausedAt: Date | null): void {
  const atMs = pausedAt?.getTime() ?? 0
  const isNews = (own.pausedAtMs ?? 0) !== atMs
  own.pausedAtMs = atMs
  if (isNews) for (const tell of own.listeners) tell({ kind: 'pause', pausedAt })
}

function tellPosition(own: Watched, position: bigint): void {
  const isNews = own.position !== position
  own.position = position
  if (isNews) for (const tell of own.listeners) tell({ kind: 'events', position })
}
