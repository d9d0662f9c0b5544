// Reads back the transfers that messages of the bank have named. Many are found together in the list of what has changed since the
// messages tell that it happened; that is a short cut and no more, and moves no mark. What it does not show is read by its id.
import type { Environment } from '@kestrel/contract'

import { after } from '../../../core/clock.ts'
import { ROWS_COME_WITHIN_MS, UnreadableAnswer } from '../../../rail/port.ts'
import type { ListedTransfer, UnreadTransfer } from '../../../rail/transfer.ts'
import { railOfBank } from '../../../rail/which-rail.ts'
import type { ClaimedBankEvent } from '../../../storage/bank-events.ts'
import type { Deps } from '../../deps.ts'
import { transfersApplier } from './apply-transfers.ts'
import { cannotBeRead } from './sweep-transfers.ts'
import { type Unsettled, keepUnsettled } from './unsettled-rows.ts'

/** A page of the list, of up to a hundred, costs about as much as so many transfers that are read by their ids. */
const WORTH_A_PAGE = 10
/** A bank may write down what happened a little later than it did. */
const OVERLAP_MS = 200
const MOST_READ_AT_ONCE = 8
/** How far back the list is read for a transfer that could not be read by its id. */
const LOOK_BACK_MS = 60 * 60_000

/** What became of a transfer that was named: whether it was dealt with, or why it could not be read. */
export type Looked = PromiseSettledResult<boolean>

/** By the ids of the transfers; `false`: the bank does not show it yet. */
export async function readNamedTransfers(
  deps: Deps,
  environment: Environment,
  events: readonly ClaimedBankEvent[],
): Promise<ReadonlyMap<string, Looked>> {
  const apply = applierOf(deps, environment)
  const looked = new Map<string, Looked>()
  // A list that cannot be read is reported by the sweep.
  await listChanges(deps, environment, { events, apply, looked }).catch(() => undefined)
  const left = [...new Set(events.map(({ objectRef }) => objectRef))].filter((ref) => !looked.has(ref))
  for (let index = 0; index < left.length; index += MOST_READ_AT_ONCE) {
    const some = left.slice(index, index + MOST_READ_AT_ONCE)
    for (const [ref, each] of await readByIds(deps, environment, { refs: some, apply })) looked.set(ref, each)
  }
  return looked
}

interface ListedChanges {
  readonly events: readonly ClaimedBankEvent[]
  readonly apply: Apply
  readonly looked: Map<string, Looked>
}

/** The newest come first. At most as many pages as cost what it costs to read all that are named by their ids. */
async function listChanges(
  deps: Deps,
  environment: Environment,
  { events, apply, looked }: ListedChanges,
): Promise<void> {
  const dated = events.filter(isFresh)
  const left = new Set(dated.map(({ objectRef }) => objectRef))
  let pages = Math.floor(left.size / WORTH_A_PAGE)
  if (pages === 0) return
  const since = after(new Date(Math.min(...dated.map(({ happenedAt }) => happenedAt.getTime()))), -OVERLAP_MS)
  for (let cursor: string | null = null; left.size >= WORTH_A_PAGE && pages > 0; pages--) {
    const page = await railOfBank(deps, environment).listTransfers(since, cursor)
    // Each of the others has a message of its own, and the sweep. One may be shown twice, as it is and as it was.
    const named = page.transfers.filter(({ transferRef }) => left.has(transferRef))
    await apply(named, [])
    for (const { transferRef } of named) {
      left.delete(transferRef)
      looked.set(transferRef, DEALT_WITH)
    }
    if (page.next === null) return
    cursor = page.next
  }
}

type Fresh = ClaimedBankEvent & { readonly happenedAt: Date }

/** What was tried before, or was long on its way, would be looked for in a long list. */
function isFresh(event: ClaimedBankEvent): event is Fresh {
  const { happenedAt, receivedAt, attempts } = event
  if (happenedAt === null || attempts > 1) return false
  return Math.abs(receivedAt.getTime() - happenedAt.getTime()) <= ROWS_COME_WITHIN_MS
}

const DEALT_WITH: Looked = { status: 'fulfilled', value: true }

/** Those that are read together are applied together. One that cannot be read holds up none of the others. */
async function readByIds(
  deps: Deps,
  environment: Environment,
  { refs, apply }: { refs: readonly string[]; apply: Apply },
): Promise<ReadonlyMap<string, Looked>> {
  const rail = railOfBank(deps, environment)
  const answers = await Promise.allSettled(refs.map((ref) => rail.readListed(ref).catch(unreadable)))
  const read = answers.map((each) => (each.status === 'fulfilled' ? each.value : null))
  const unread = refs.flatMap((transferRef, nth): UnreadTransfer[] => {
    const answer = read[nth]
    return answer instanceof UnreadableAnswer ? [{ transferRef, clientReference: null, why: answer.message }] : []
  })
  const applied = await settled(apply(read.filter(isTransfer), unread))
  const lookedAt = async (ref: string, answer: PromiseSettledResult<Read>): Promise<Looked> => {
    if (answer.status === 'rejected') return answer
    if (answer.value !== null) return applied.status === 'rejected' ? applied : DEALT_WITH
    // What the operator added to a transfer is a transfer to the bank, and no payment: there is nothing to do about it.
    return settled(deps.banks[environment]?.excess?.isAddition(ref) ?? Promise.resolve(false))
  }
  return new Map(await Promise.all(refs.map(async (ref, nth) => [ref, await lookedAt(ref, answers[nth]!)] as const)))
}

type Read = ListedTransfer | UnreadableAnswer | null

const isTransfer = (each: Read): each is ListedTransfer => each !== null && !(each instanceof UnreadableAnswer)

async function settled<T>(work: Promise<T>): Promise<PromiseSettledResult<T>> {
  return (await Promise.allSettled([work]))[0]
}

function unreadable(error: unknown): UnreadableAnswer {
  if (error instanceof UnreadableAnswer) return error
  throw error
}

type Apply = (transfers: readonly ListedTransfer[], unread: readonly UnreadTransfer[]) => Promise<void>

function applierOf(deps: Deps, environment: Environment): Apply {
  const apply = transfersApplier(deps, environment)
  return async (transfers, unread) => {
    const rows = [...unread.map(cannotBeRead(environment)), ...(await apply(transfers))]
    await keepToReadAgain(deps, environment, { transfers, rows })
  }
}

/** The list is read on from where each of them is found in it again. */
function keepToReadAgain(
  deps: Deps,
  environment: Environment,
  { transfers, rows }: { transfers: readonly ListedTransfer[]; rows: readonly Unsettled[] },
): Promise<void> {
  const moments = new Map(transfers.map((each) => [each.transferRef, after(each.updatedAt, -1)]))
  const since = after(deps.clock.now(), -LOOK_BACK_MS)
  return keepUnsettled(
    deps,
    { environment, feed: 'transfers', since },
    rows.map((row) => ({ ...row, since: moments.get(row.ref) ?? since })),
  )
}
