// A top-up that the bank never answered, and whose key it has forgotten by now: asking again could add it twice. What the
// operator's own wallet holds tells whether it was added.
import { after, pause } from '../../../core/clock.ts'
import { AppError } from '../../../core/errors.ts'
import { formatUsdcExact } from '../../../core/money.ts'
import type { Scope } from '../../../core/scope.ts'
import { type OperatorFunds, RailUnavailable } from '../../../rail/port.ts'
import type { TransferSnapshot } from '../../../rail/transfer.ts'
import { railNamed } from '../../../rail/which-rail.ts'
import { lockExcessFunds, readExpectedExcess } from '../../../storage/excess-funds.ts'
import { type OpenTopUp, listOpenTopUps } from '../../../storage/payout-top-ups.ts'
import type { PayoutRow } from '../../../storage/payouts.ts'
import { lockPayouts } from '../../../storage/payout-records.ts'
import type { Db } from '../../../storage/sql.ts'
import type { Deps } from '../../deps.ts'
import { readAtBank } from '../../payouts/read/find-any-payout.ts'
import { waysTo } from '../refunds/only-sum.ts'
import { bookTopUp, closeRefused } from './book-top-up.ts'
import { bringHome } from './money-back.ts'

const PAUSE_MS = 700
/** As often as the books may change while one looks. */
const TRIES = 4
/** A request still on its way when the bank forgets its key would be acted on as a new one. */
const MARGIN_MS = 2 * 60 * 60_000

interface Question {
  readonly scope: Scope
  readonly row: PayoutRow
  readonly funds: OperatorFunds
}

/** Books it as added, or as refused, as the wallet says; throws where the wallet says neither. */
export async function settleForgotten(deps: Deps, question: Question): Promise<void> {
  for (let tries = 1; ; tries++) {
    const own = ownOf(await listOpenTopUps(deps.db, question.scope.environment), question.row)
    if (own === null || deps.clock.now() < askedNoMoreFrom(deps, question.row, own, MARGIN_MS)) return
    // What is left over of others, and is not booked yet, must not make up for it.
    if (tries === 1) await bringHome(deps, question.scope.environment)
    if (await settle(deps, question, own)) return
    if (tries === TRIES) throw neither(question.row, own, 'Your books change while we look.')
  }
}

/** The bank is asked again only while it remembers. Between then and when it has surely forgotten, nobody can tell. */
export function requireRemembered(
  deps: Pick<Deps, 'clock' | 'rails'>,
  row: PayoutRow,
  asked: Pick<OpenTopUp, 'askedAt' | 'amount'>,
): void {
  if (deps.clock.now() < askedNoMoreFrom(deps, row, asked)) return
  const from = askedNoMoreFrom(deps, row, asked, MARGIN_MS).toISOString()
  throw neither(row, asked, `Run the command again from ${from} on: your wallet tells then.`)
}

function askedNoMoreFrom(
  deps: Pick<Deps, 'rails'>,
  { rail }: PayoutRow,
  { askedAt }: Pick<OpenTopUp, 'askedAt'>,
  marginMs = 0,
): Date {
  return after(askedAt, railNamed(deps, rail).remembersForMs + marginMs)
}

function ownOf(open: readonly OpenTopUp[], { id }: PayoutRow): OpenTopUp | null {
  return open.find(({ payoutId }) => payoutId === id) ?? null
}

/** False: the books have changed since the wallet was looked at, and it is to be looked at again. */
async function settle(deps: Deps, { scope, row, funds }: Question, own: OpenTopUp): Promise<boolean> {
  const transfer = await readAtBank(deps, row)
  const seen = await lookTwice(deps, scope, funds)
  if (seen === null) return false
  const isMade = judge(deps, { row, own, transfer, seen })
  return deps.db.inTransaction(async (tx) => {
    await lockExcessFunds(tx, scope.environment)
    await lockPayouts(tx, scope, [row.id])
    if (nameOf(await readBooks(tx, scope)) !== nameOf(seen.books)) return false
    const settled = { scope, payoutId: row.id, nth: own.nth, at: deps.clock.now() }
    await (isMade ? bookTopUp(tx, deps, settled) : closeRefused(tx, settled))
    return true
  })
}

/**
 * Whether it was made, by all choices of unanswered additions that make up what the wallet lacks. Where one like it may have
 * been made instead, its transfer decides. A transfer that no longer lacks as much may have been given it, whatever the wallet
 * holds by now.
 */
function judge(
  deps: Deps,
  { row, own, transfer, seen }: { row: PayoutRow; own: OpenTopUp; transfer: TransferSnapshot | null; seen: Seen },
): boolean {
  const stillLacks = transfer?.state === 'awaiting_funds' && (transfer.missing ?? 0n) >= own.amount
  const { open } = seen.books
  const ways = waysTo(seen.missing, open)
  const hasIt = ways.map((way) => way.some(({ payoutId }) => payoutId === row.id))
  const [mayBeMade, mayBeNot] = [hasIt.includes(true), hasIt.includes(false)]
  const others = open.filter(({ payoutId }) => payoutId !== row.id)
  const areForgotten = others.every((each) => deps.clock.now() >= askedNoMoreFrom(deps, row, each, MARGIN_MS))
  if (mayBeMade && (!mayBeNot || (!stillLacks && areForgotten))) return true
  if (mayBeNot && !mayBeMade && stillLacks) return false
  const named = others.map(({ payoutId }) => payoutId).join(', ')
  const also = named === '' ? '' : ` Nor did it answer for ${named}: settle that first (kestrel payout top-up).`
  throw neither(
    row,
    own,
    `Your wallet and the transfer (${transfer?.bankState ?? 'unknown there'}) together tell neither that it did nor that it did not: account for the rest first (kestrel bank excess, kestrel bank excess-moved).${also}`,
  )
}

function neither({ id }: PayoutRow, { askedAt, amount }: Pick<OpenTopUp, 'askedAt' | 'amount'>, why: string): AppError {
  return new AppError(
    'invalid_request',
    `The bank was asked at ${askedAt.toISOString()} to add ${formatUsdcExact(amount)} USDC to ${id} and never answered, and may have forgotten it by now: asked again, it could add it twice. ${why} Nothing was moved.`,
  )
}

interface Books {
  /** What the operator's wallet should hold. */
  readonly expected: bigint
  readonly open: readonly OpenTopUp[]
}

interface Seen {
  readonly books: Books
  /** By how much the operator's wallet holds less than the books say. */
  readonly missing: bigint
}

/** What is open first: an addition that is booked in between shows in the sum then. */
async function readBooks(db: Db, { environment }: Scope): Promise<Books> {
  const open = await listOpenTopUps(db, environment)
  const { booked, moved } = await readExpectedExcess(db, environment)
  return { expected: booked + moved, open }
}

const nameOf = ({ expected, open }: Books) =>
  [expected, ...open.map(({ payoutId, nth }) => `${payoutId}:${nth}`)].join(' ')

/** Money moves while one looks: what is not the same the second time proves nothing. */
async function lookTwice(deps: Deps, scope: Scope, funds: OperatorFunds): Promise<Seen | null> {
  const look = async (): Promise<Seen> => {
    const theirs = await funds.readBalance().catch((error: unknown) => {
      if (!(error instanceof RailUnavailable)) throw error
      throw new AppError('bank_unavailable', `The bank could not be asked, so nothing was changed. ${error.message}`)
    })
    const books = await readBooks(deps.db, scope)
    return { books, missing: books.expected - theirs }
  }
  const first = await look()
  await pause(deps.clock, PAUSE_MS)
  const second = await look()
  return second.missing === first.missing && nameOf(second.books) === nameOf(first.books) ? second : null
}
