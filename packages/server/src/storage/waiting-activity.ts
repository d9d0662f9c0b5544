// Entries of the log that wait to be linked, noted in batches by a trigger: a row has the entries of one chain that were written
// together, each with its hash.
import type { ChainId } from '../core/audit-chain.ts'
import { itemColumns } from './item-columns.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface NotedEntry extends ChainId {
  /** To the microsecond, as the table has it. */
  readonly exactAt: string
  readonly id: string
  readonly entryHash: Buffer
}

const CHAIN_KEY = { partnerId: ['partner_id', 'uuid'], chain: ['chain', 'text'] } as const

/** What is noted of a partner, in SQL, by its ids. */
export const idsNoted = (partnerId: string): string =>
  `select split_part(line, ' ', 2)::uuid as id from activity_waiting, string_to_table(entries, E'\\n') as line
    where partner_id = ${partnerId}`

/** What waits of a partner: also what the release before has noted. */
export const idsWaiting = (partnerId: string): string =>
  `${idsNoted(partnerId)}
   union all select id from activity_unsealed where partner_id = ${partnerId}`

export const chainKey = ({ partnerId, chain }: ChainId): string => `${partnerId}/${chain}`

/** So many written at once are worth sealing at once. */
const MANY = 16

// From one chain to the next by the key, with its first batch: it does not matter how many entries wait. Whoever's clock is ahead
// need not wait for it.
const WAITING = statement(
  'chains_with_waiting_activity',
  `with recursive waiting as (
     (select partner_id, chain, at, count from activity_waiting
       where (partner_id, chain) > ($2::uuid, $3::text) order by partner_id, chain, at, id limit 1)
     union all
     select next.partner_id, next.chain, next.at, next.count from waiting cross join lateral (
       select partner_id, chain, at, count from activity_waiting
        where (partner_id, chain) > (waiting.partner_id, waiting.chain) order by partner_id, chain, at, id limit 1) next
   )
   select partner_id as "partnerId", chain from waiting
    where at <= $4 or at > $5 or count >= ${MANY} limit $1`,
)

/** Chains are looked through by their keys; this is before all of them. */
export const FIRST_CHAIN = { partnerId: '00000000-0000-0000-0000-000000000000', chain: '' } as const
export type ChainPlace = ChainId | typeof FIRST_CHAIN

/** Those that come after a place, in the order of their keys: with many entries, or with one from before `since`. */
export function listChainsToSeal(
  db: Db,
  after: ChainPlace,
  { most, since, now }: { most: number; since: Date; now: Date },
): Promise<ChainId[]> {
  return db.query<ChainId>(WAITING, [most, after.partnerId, after.chain, since, now])
}

/** A row of the notes, by its key. */
export interface WaitingBatch extends ChainId {
  readonly firstAt: string
  readonly firstId: string
  readonly count: number
  readonly entries: string
}

const LOOKED_AT = itemColumns<keyof ChainId>(2, CHAIN_KEY)
// Under the chains' locks, in a statement after them: what others have sealed is no longer seen.
const READ = statement(
  'waiting_activity',
  `select item.partner_id as "partnerId", item.chain, batch.at::text as "firstAt", batch.id as "firstId", batch.count,
          batch.entries
     from ${LOOKED_AT.from} cross join lateral (
       select at, id, count, entries, sum(count) over (order by at, id) - count as before from (
         select at, id, count, entries from activity_waiting where partner_id = item.partner_id and chain = item.chain
          order by at, id limit $1) first) batch
    where batch.before < $1
    order by item.partner_id, item.chain, batch.at, batch.id`,
)

/** The first batches of each chain, in the order of time, until they have so many entries. */
export function readWaiting(tx: Tx, chains: readonly ChainId[], most: number): Promise<WaitingBatch[]> {
  return tx.query<WaitingBatch>(READ, [most, ...LOOKED_AT.values(chains)])
}

export function entriesOf(batch: WaitingBatch): NotedEntry[] {
  return batch.entries.split('\n').map((line) => {
    const [exactAt, id, hash] = line.split(' ')
    const { partnerId, chain } = batch
    return { partnerId, chain, exactAt: exactAt!, id: id!, entryHash: Buffer.from(hash!, 'hex') }
  })
}

const DONE = itemColumns<keyof ChainId | 'firstAt' | 'firstId'>(1, {
  ...CHAIN_KEY,
  firstAt: ['at', 'timestamptz'],
  firstId: ['id', 'uuid'],
})
// One look-up per batch, whatever PostgreSQL thinks of a table that fills and empties. Rows are never changed, so a place stays a
// row's for as long as the statement runs.
const TAKE_OFF = statement(
  'waiting_activity_is_sealed',
  `delete from activity_waiting where ctid = any(array(
     select waiting.ctid from ${DONE.from} cross join lateral (
       select ctid from activity_waiting
        where partner_id = item.partner_id and chain = item.chain and at = item.at and id = item.id limit 1) waiting))`,
)

export function takeOffWaiting(tx: Tx, batches: readonly WaitingBatch[]): void {
  if (batches.length > 0) tx.defer(TAKE_OFF, DONE.values(batches))
}
