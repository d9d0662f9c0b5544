// A batch as the statement that reserves takes it (reserve-new-payouts.ts): what it is decided by comes first, so that deciding
// carries few columns from step to step, and what is only written is read once, when it is written.
import { type ColumnsOf, type ItemColumns, itemColumns } from './item-columns.ts'
import { markColumns, marksOf } from './payout-recipients.ts'
import { type AskedPayout, RESERVED_COLUMNS } from './payout-reservations.ts'
import { SENT_COLUMNS, sentValues } from './reserve-sent.ts'

/** How a batch is reserved. */
export interface Way {
  /** Accounts without spending limits are decided by their funds alone. */
  readonly decidedBy: 'funds' | 'limits'
  /** Some of it, at once. */
  readonly areSent: boolean
  /** Two of it may be to one person or one account, or have one key. */
  readonly areRelated: boolean
}

const WALLET = { partnerId: ['partner_id', 'uuid'] } as const
// Which of the batch's wallets it is, from 1.
const PLACE_OF_WALLET = { walletNth: ['wallet_nth', 'int'] } as const
const API_KEY = { keyId: ['key_id', 'uuid'] } as const
const HOLDER = { holderVersion: ['holder_version', 'text'] } as const
const SPENDER = { spenderId: ['spender_id', 'uuid'] } as const
const { id, idempotencyKey, amount, accountLast4, walletSends, rail, ...WRITTEN_ONLY } = RESERVED_COLUMNS
const DECIDED_BY = { id, idempotencyKey, amount, accountLast4, walletSends, rail }
const WRITTEN = { ...WRITTEN_ONLY, leaseToken: ['lease_token', 'uuid'] } as const

/** The wallets of the batch, each once. */
export const WALLETS = itemColumns<'partnerId'>(1, WALLET)
/** The API keys that it is asked for with, and by which version of their holders, each once. */
export const USED_KEYS = itemColumns<keyof UsedKey>(6, { ...WALLET, ...API_KEY, ...HOLDER })
const FIRST = 9

const decidingColumns = (keys: number, decidedBy: Way['decidedBy']): ColumnsOf<string> => ({
  ...WALLET,
  ...PLACE_OF_WALLET,
  ...API_KEY,
  ...(decidedBy === 'limits' && SPENDER),
  ...DECIDED_BY,
  ...markColumns(keys),
})

/** What the batch is decided by. `keys`: those under which recipients are looked for. */
export const decidingItems = (keys: number, { decidedBy }: Way): ItemColumns<string> =>
  itemColumns<string>(FIRST, decidingColumns(keys, decidedBy))

/** All of it. */
export const wholeItems = (keys: number, { decidedBy, areSent }: Way): ItemColumns<string> =>
  itemColumns<string>(FIRST, { ...decidingColumns(keys, decidedBy), ...WRITTEN, ...(areSent && SENT_COLUMNS) })

// The same columns by where their values come from.
const OF_WALLET = itemColumns<'partnerId'>(0, WALLET)
const OF_API_KEY = itemColumns<'keyId'>(0, API_KEY)
const OF_SPENDER = itemColumns<'spenderId'>(0, SPENDER)
const OF_DECISION = itemColumns(0, DECIDED_BY)
const OF_WRITING = itemColumns(0, WRITTEN)

interface Times {
  readonly now: Date
  readonly leaseUntil: Date
  readonly duplicatesSince: Date
}

/** The parameters of the statement, in the order of the columns above. */
export function valuesOf(
  asked: readonly AskedPayout[],
  batch: { keys: number; way: Way; partnerIds: readonly string[]; environment: string; times: Times },
): unknown[] {
  const { keys, way, partnerIds, environment, times } = batch
  const payouts = asked.map(({ payout }) => payout)
  const places = new Map(partnerIds.map((partnerId, index) => [partnerId, index + 1]))
  return [
    partnerIds,
    environment,
    times.now,
    times.leaseUntil,
    times.duplicatesSince,
    ...USED_KEYS.values(usedKeys(asked)),
    ...OF_WALLET.values(asked),
    asked.map(({ partnerId }) => places.get(partnerId)),
    ...OF_API_KEY.values(payouts),
    ...(way.decidedBy === 'limits' ? OF_SPENDER.values(payouts) : []),
    ...OF_DECISION.values(payouts),
    ...itemColumns(0, markColumns(keys)).values(payouts.map(marksOf)),
    ...OF_WRITING.values(payouts),
    ...(way.areSent
      ? sentValues(
          asked.map(({ sent }) => sent ?? null),
          times.now,
        )
      : []),
  ]
}

interface UsedKey extends Pick<AskedPayout['payout'], 'holderVersion'> {
  readonly partnerId: string
  readonly keyId: string
}

function usedKeys(asked: readonly AskedPayout[]): UsedKey[] {
  const used = new Map<string, UsedKey>()
  for (const { partnerId, payout } of asked) {
    const { keyId, holderVersion } = payout
    if (keyId !== null) used.set(`${partnerId} ${keyId} ${holderVersion}`, { partnerId, keyId, holderVersion })
  }
  return [...used.values()]
}

/** Whether one of them may matter to another, whatever is decided: the same idempotency key, person or account of one wallet. */
export function areRelated(asked: readonly AskedPayout[]): boolean {
  if (asked.length === 1) return false
  const seen = new Set<string>()
  for (const { partnerId, payout } of asked) {
    seen.add(`${partnerId} key ${payout.idempotencyKey}`)
    seen.add(`${partnerId} name ${payout.marks.name.toString('latin1')}`)
    seen.add(`${partnerId} account ${payout.marks.account.toString('latin1')}`)
  }
  return seen.size < 3 * asked.length
}
