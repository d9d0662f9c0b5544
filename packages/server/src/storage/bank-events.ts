import type { Environment } from '@kestrel/contract'

import { itemColumns } from './item-columns.ts'
import { type Db, type Tx, statement } from './sql.ts'
import { isFree } from './wrong-clocks.ts'

interface BankEventRow {
  readonly eventId: string
  readonly category: string
  readonly objectRef: string
  readonly receivedAt: Date
  /** By the bank's clock. Null: it does not say, or a release that did not ask has kept it. */
  readonly happenedAt: Date | null
  /** In the bank's words. Null: it does not say, or a release that did not ask has kept it. */
  readonly state: string | null
}

export type NewBankEvent = BankEventRow

export interface ClaimedBankEvent extends BankEventRow {
  readonly environment: Environment
  /** How often it was taken, this time included. */
  readonly attempts: number
}

const NEW = itemColumns<keyof NewBankEvent>(2, {
  eventId: ['event_id', 'text'],
  category: ['category', 'text'],
  objectRef: ['object_ref', 'text'],
  receivedAt: ['received_at', 'timestamptz'],
  happenedAt: ['happened_at', 'timestamptz'],
  state: ['object_state', 'text'],
})

// In one order, so that two processes that are sent the same ones do not wait for each other in a circle.
const KEEP = statement(
  'keep_bank_events',
  `insert into bank_events (environment, ${NEW.names})
   select $1, ${NEW.selected} from ${NEW.from} order by item.event_id on conflict do nothing`,
)

/** Keeps events. One that came before is kept once. */
export function keepBankEvents(tx: Tx, environment: Environment, events: readonly NewBankEvent[]): void {
  tx.defer(KEEP, [environment, ...NEW.values(events)])
}

const KEEP_UNREADABLE = statement(
  'keep_unreadable_bank_event',
  `insert into bank_events (environment, event_id, category, object_ref, received_at, handled_at)
   values ($1, $2, 'unreadable', $2, $3, $3) on conflict do nothing returning 1 as kept`,
)

/** Keeps that a message came of which nothing can be kept but its digest. False when it came before. */
export async function keepUnreadableEvent(
  tx: Tx,
  { environment, digest, at }: { environment: Environment; digest: string; at: Date },
): Promise<boolean> {
  return (await tx.query(KEEP_UNREADABLE, [environment, `message ${digest}`, at])).length === 1
}

const LONGEST_LEASE_MS = 60 * 60_000

/** Events that nobody handled, and nobody is handling. */
export const WAITING_BANK_EVENTS = (now: string): string =>
  `handled_at is null and ${isFree({ until: 'lease_until', by: now, now, longestMs: LONGEST_LEASE_MS })}`

// Whichever plan is kept: what stands in `array()` is asked once. As a list to join with it may be asked again for every row, and
// each time takes others, since those that are taken by then are left out.
const CLAIM = statement(
  'claim_bank_events',
  `update bank_events set attempts = attempts + 1, lease_until = $1::timestamptz
          + interval '1 millisecond' * least(${LONGEST_LEASE_MS}, $2::int * power(2, least(attempts, 20)))
    where ctid = any(array(
      select ctid from bank_events
       where environment = $4 and ${WAITING_BANK_EVENTS('$1')}
       order by attempts, received_at limit $3 for update skip locked))
   returning environment, event_id as "eventId", category, object_ref as "objectRef", received_at as "receivedAt",
             happened_at as "happenedAt", object_state as state, attempts`,
)

/**
 * Takes events that nobody is handling, and of these the ones that were tried least. An event whose handler died, or that could
 * not be handled, comes back when its lease ends; each lease is twice as long as the one before. In the order in which they are tried.
 */
export async function claimBankEvents(
  tx: Tx,
  environment: Environment,
  claim: { now: Date; leaseMs: number; most: number },
): Promise<ClaimedBankEvent[]> {
  const claimed = await tx.query<ClaimedBankEvent>(CLAIM, [claim.now, claim.leaseMs, claim.most, environment])
  return claimed.toSorted(
    (one, other) => one.attempts - other.attempts || one.receivedAt.getTime() - other.receivedAt.getTime(),
  )
}

// It was tried once: what is new goes first.
const GIVE_BACK = statement(
  'give_back_bank_events',
  `update bank_events set attempts = greatest(attempts - 1, 1), lease_until = null
    where environment = $1 and event_id = any($2) and handled_at is null`,
)

/** Events that were taken, and for which there was no time. */
export function giveBackBankEvents(tx: Tx, environment: Environment, eventIds: readonly string[]): void {
  if (eventIds.length > 0) tx.defer(GIVE_BACK, [environment, eventIds])
}

const HANDLED = statement(
  'bank_events_handled',
  'update bank_events set handled_at = $3, lease_until = null where environment = $1 and event_id = any($2)',
)

export function markHandled(tx: Tx, environment: Environment, eventIds: readonly string[], at: Date): void {
  if (eventIds.length > 0) tx.defer(HANDLED, [environment, eventIds, at])
}

const THIN = statement(
  'thin_bank_events',
  `delete from bank_events where ctid = any(array(
     select ctid from bank_events where handled_at < $1 limit $2)) returning 1 as gone`,
)

/** Deletes at most so many events that were handled before a moment. Returns how many. */
export async function thinBankEvents(tx: Tx, handledBefore: Date, most: number): Promise<number> {
  return (await tx.query(THIN, [handledBefore, most])).length
}

const WEBHOOK = statement(
  'bank_webhook',
  'select webhook_ref as "webhookRef", url, public_key as "publicKey" from bank_webhooks where environment = $1',
)

export interface BankWebhookRow {
  readonly webhookRef: string
  readonly url: string
  readonly publicKey: string
}

export async function findBankWebhook(db: Db, environment: Environment): Promise<BankWebhookRow | null> {
  return (await db.query<BankWebhookRow>(WEBHOOK, [environment]))[0] ?? null
}

const KEEP_WEBHOOK = statement(
  'keep_bank_webhook',
  `insert into bank_webhooks (environment, webhook_ref, url, public_key, created_at) values ($1, $2, $3, $4, $5)
   on conflict (environment) do update set webhook_ref = excluded.webhook_ref, url = excluded.url,
     public_key = excluded.public_key, created_at = excluded.created_at`,
)

export function keepBankWebhook(tx: Tx, environment: Environment, webhook: BankWebhookRow, at: Date): void {
  tx.defer(KEEP_WEBHOOK, [environment, webhook.webhookRef, webhook.url, webhook.publicKey, at])
}
