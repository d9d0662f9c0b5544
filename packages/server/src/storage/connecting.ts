// Wallets on their way to the bank: whose turn it is, when it is tried again, and what was in the way.
import type { Environment } from '@kestrel/contract'

import type { Scope } from '../core/scope.ts'
import { type Database, type Db, type Tx, statement } from './sql.ts'

type Writing = Pick<Database, 'inOneTrip'>

export interface UnconnectedWallet extends Scope {
  readonly name: string
  /**
   * The account holder's id at the bank, stored when it was opened there or made by verification; null when there is none
   * yet.
   */
  readonly holderRef: string | null
  /** How often it was tried in vain, and how often the bank refused something. */
  readonly tries: number
  readonly refusals: number
  /** Set where only the account in pounds is missing. */
  readonly walletRef: string | null
}

/** A wallet at the bank that has no account in pounds there. */
export interface HalfConnectedWallet extends UnconnectedWallet {
  readonly holderRef: string
  readonly walletRef: string
}

const DUE = `(w.connect_at is null or w.connect_at <= $2)`
const CLAIM = (which: string): string => `
  update wallets c set connect_at = $3
    from (select w.partner_id, w.environment, p.name,
                 coalesce(w.customer_ref, case when w.environment = 'live' then p.live_customer_ref end) as holder
            from wallets w join partners p on p.id = w.partner_id
           where w.environment = $1 and p.status <> 'closed' and ${DUE} and ${which}
           order by w.connect_at nulls first limit $4 for update of w skip locked) due
   where c.partner_id = due.partner_id and c.environment = due.environment
  returning c.partner_id as "partnerId", c.environment, due.name, due.holder as "holderRef",
            c.connect_tries as tries, c.connect_refusals as refusals, c.wallet_ref as "walletRef"`

/** A live wallet needs an approved verification. */
export const CONNECTABLE = (environment: string): string =>
  `(${environment} = 'sandbox' or (p.verification_status = 'approved' and p.live_customer_ref is not null))`

const CLAIM_UNCONNECTED = statement('claim_unconnected_wallets', CLAIM(`w.wallet_ref is null and ${CONNECTABLE('$1')}`))
const CLAIM_HALF_CONNECTED = statement(
  'claim_half_connected_wallets',
  CLAIM('w.wallet_ref is not null and w.virtual_account_ref is null'),
)

interface Claim {
  readonly environment: Environment
  readonly now: Date
  /** Nobody else claims it before. */
  readonly until: Date
  readonly most: number
}

/** Wallets that could be at the bank and are not yet, and are due. A live one needs an approved verification. */
export function claimUnconnectedWallets(db: Writing, claim: Claim): Promise<UnconnectedWallet[]> {
  return db.inOneTrip<UnconnectedWallet>([[CLAIM_UNCONNECTED, valuesOf(claim)]])
}

export function claimHalfConnectedWallets(db: Writing, claim: Claim): Promise<HalfConnectedWallet[]> {
  return db.inOneTrip<HalfConnectedWallet>([[CLAIM_HALF_CONNECTED, valuesOf(claim)]])
}

const valuesOf = ({ environment, now, until, most }: Claim) => [environment, now, until, most]

const PUT_OFF = statement(
  'put_off_connecting',
  `update wallets set connect_tries = $3, connect_refusals = connect_refusals + $4, connect_at = $5, connect_trouble = $6
    where partner_id = $1 and environment = $2 and virtual_account_ref is null`,
)

export async function putOffConnecting(
  db: Writing,
  scope: Scope,
  put: { tries: number; isRefused: boolean; until: Date | null; trouble: string | null },
): Promise<void> {
  const { tries, isRefused, until, trouble } = put
  const values = [scope.partnerId, scope.environment, tries, isRefused ? 1 : 0, until, trouble]
  await db.inOneTrip([[PUT_OFF, values]])
}

const HURRY = statement(
  'hurry_connecting',
  `update wallets set connect_tries = 0, connect_at = null where partner_id = $1 and environment = $2
      and virtual_account_ref is null and connect_at is not null`,
)

/** Something has changed at the bank: it is tried now, and not when its turn would be. */
export function hurryConnecting(tx: Tx, scope: Scope): void {
  tx.defer(HURRY, [scope.partnerId, scope.environment])
}

export interface ConnectingTrouble {
  readonly slug: string
  readonly environment: Environment
  /** Whether the wallet is at the bank, and only the account in pounds is missing. */
  readonly isHalf: boolean
  readonly trouble: string
  readonly tries: number
  readonly nextAt: Date | null
}

const TROUBLES = `select p.slug, w.environment, w.wallet_ref is not null as "isHalf", w.connect_trouble as trouble,
         w.connect_tries as tries, w.connect_at as "nextAt"
    from wallets w join partners p on p.id = w.partner_id
   where w.connect_trouble is not null and p.status <> 'closed'`
const ALL_TROUBLES = statement('connecting_troubles', `${TROUBLES} order by p.slug, w.environment limit $1`)
const OWN_TROUBLE = statement('connecting_trouble', `${TROUBLES} and w.partner_id = $1 and w.environment = $2`)

export function listConnectingTroubles(db: Db, most: number): Promise<ConnectingTrouble[]> {
  return db.query<ConnectingTrouble>(ALL_TROUBLES, [most])
}

export async function readConnectingTrouble(db: Db, scope: Scope): Promise<ConnectingTrouble | null> {
  return (await db.query<ConnectingTrouble>(OWN_TROUBLE, [scope.partnerId, scope.environment]))[0] ?? null
}

const COMPLETE = statement(
  'complete_wallet',
  `update wallets set virtual_account_ref = $3, deposit_account = $4, connect_tries = 0, connect_at = null,
          connect_trouble = null
    where partner_id = $1 and environment = $2 and wallet_ref is not null and virtual_account_ref is null`,
)

/** The account in pounds came after the wallet. */
export async function completeWallet(
  db: Writing,
  scope: Scope,
  account: { depositAccountRef: string; depositAccount: object },
): Promise<void> {
  const { depositAccountRef, depositAccount } = account
  const values = [scope.partnerId, scope.environment, depositAccountRef, JSON.stringify(depositAccount)]
  await db.inOneTrip([[COMPLETE, values]])
}
