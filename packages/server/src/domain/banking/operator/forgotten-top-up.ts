// A top-up that the bank never answered, and whose key it has forgotten by now: asking again could add it twice. What the
// operator's own wallet holds tells whether it was added.
import { sleep } from '../../../core/clock.ts'
import { AppError } from '../../../core/errors.ts'
import { formatUsdcExact } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import type { OperatorFunds } from '../../../rail/port.ts'
import { railNamed } from '../../../rail/which-rail.ts'
import { readExpectedExcess } from '../../../storage/excess-funds.ts'
import { lastTopUp, refuseTopUp } from '../../../storage/payout-top-ups.ts'
import type { PayoutRow } from '../../../storage/payouts.ts'
import type { Deps } from '../../deps.ts'
import { readAtBank } from '../../payouts/read/find-any-payout.ts'
import { bookTopUp } from './book-top-up.ts'

const PAUSE_MS = 700

/** Books it as added, or as refused, as the wallet says; throws where the wallet says neither. */
export async function settleForgotten(
  deps: Deps,
  { scope, row, funds }: { scope: Scope; row: PayoutRow; funds: OperatorFunds },
): Promise<void> {
  const last = await deps.db.inTransaction((tx) => lastTopUp(tx, scope, row.id))
  const now = deps.clock.now()
  if (last === null || last.addedAt !== null || last.refusedAt !== null) return
  if (now.getTime() - last.askedAt.getTime() < railNamed(deps, row.rail).remembersForMs) return
  // A transfer that no longer lacks as much may have been given it, whatever the wallet holds by now.
  const transfer = await readAtBank(deps, row)
  const stillLacks = transfer?.state === 'awaiting_funds' && (transfer.missing ?? 0n) >= last.amount
  const missing = await missingIn(deps, scope, funds)
  const settled = { payoutId: row.id, nth: last.nth, at: now }
  if (missing === 0n && stillLacks) await deps.db.inTransaction(async (tx) => refuseTopUp(tx, scope, settled))
  else if (missing === last.amount) await deps.db.inTransaction((tx) => bookTopUp(tx, deps, { scope, ...settled }))
  else {
    const amount = formatUsdcExact(last.amount)
    throw new AppError(
      'invalid_request',
      `The bank was asked at ${last.askedAt.toISOString()} to add ${amount} USDC to ${row.id} and never answered, and may have forgotten it by now: asked again, it could add it twice. Your wallet and the transfer (${transfer?.bankState ?? 'unknown there'}) together tell neither that it did nor that it did not: account for the rest first (kestrel bank excess, kestrel bank excess-moved). Nothing was moved.`,
    )
  }
}

/** By how much the operator's wallet holds less than the books say; null: it is not the same in two looks. */
async function missingIn(deps: Deps, { environment }: Scope, funds: OperatorFunds): Promise<bigint | null> {
  const look = async () => {
    const theirs = await funds.readBalance()
    const { booked, moved } = await readExpectedExcess(deps.db, environment)
    return booked + moved - theirs
  }
  const first = await look()
  await sleep(PAUSE_MS)
  return (await look()) === first ? first : null
}
