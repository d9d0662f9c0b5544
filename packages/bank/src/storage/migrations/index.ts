// In the order in which they are applied. They are program text and not files, so that they survive bundling.
import { CUSTOMERS } from './0001-customers.ts'
import { WALLETS } from './0002-wallets.ts'
import { DEPOSITS } from './0003-deposits.ts'
import { TRANSFERS } from './0004-transfers.ts'
import { WEBHOOKS } from './0005-webhooks.ts'
import { FIXED_OUTPUTS } from './0006-fixed-outputs.ts'
import { STRICT_ANSWERS } from './0007-strict-answers.ts'
import { ENDORSEMENTS } from './0008-endorsements.ts'
import { KNOWN_EXCESS_WALLET } from './0009-known-excess-wallet.ts'
import { AWAITING_FUNDS } from './0010-awaiting-funds.ts'
import { LISTED_TOP_UPS } from './0011-listed-top-ups.ts'
import { DELIVERIES_IN_ORDER } from './0012-deliveries-in-order.ts'
import { VERSIONS_OF_TRANSFERS } from './0013-versions-of-transfers.ts'
import { DELIVERIES_BY_WHEN_THEY_ARE_DUE } from './0014-deliveries-by-when-they-are-due.ts'

export interface Migration {
  readonly name: string
  readonly sql: string
}

export const MIGRATIONS: readonly Migration[] = [
  { name: '0001_customers', sql: CUSTOMERS },
  { name: '0002_wallets', sql: WALLETS },
  { name: '0003_deposits', sql: DEPOSITS },
  { name: '0004_transfers', sql: TRANSFERS },
  { name: '0005_webhooks', sql: WEBHOOKS },
  { name: '0006_fixed_outputs', sql: FIXED_OUTPUTS },
  { name: '0007_strict_answers', sql: STRICT_ANSWERS },
  { name: '0008_endorsements', sql: ENDORSEMENTS },
  { name: '0009_known_excess_wallet', sql: KNOWN_EXCESS_WALLET },
  { name: '0010_awaiting_funds', sql: AWAITING_FUNDS },
  { name: '0011_listed_top_ups', sql: LISTED_TOP_UPS },
  { name: '0012_deliveries_in_order', sql: DELIVERIES_IN_ORDER },
  { name: '0013_versions_of_transfers', sql: VERSIONS_OF_TRANSFERS },
  { name: '0014_deliveries_by_when_they_are_due', sql: DELIVERIES_BY_WHEN_THEY_ARE_DUE },
]
