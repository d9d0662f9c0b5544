// Reads back the transfers that messages of the bank have named. Many are found together in the list of what has changed since the
// messages tell that it happened; that is a short cut and no more, and moves no mark. What it does not show is read by its id. What is
// known already is not read again.
import type { Environment } from '@kestrel/contract'

import { after, monotonicMs } from '../../../core/clock.ts'
import { groupBy } from '../../../core/group-by.ts'
import { watchForCircles } from '../../../core/pages.ts'
import { type PayoutRail, ROWS_COME_WITHIN_MS, UnreadableAnswer } from '../../../rail/port.ts'
import type { ListedTransfer, UnreadTransfer } from '../../../rail/transfer.ts'
import { railOfBank } from '../../../rail/which-rail.ts'
import type { ClaimedBankEvent } from '../../../storage/bank-events.ts'
import type { Deps } from '../../deps.ts'
import { newestOfEach, transfersApplier } from './apply-transfers.ts'
import { memoryOf } from './bank-memory.ts'
import { type DealtWith, type ListReading, includesState } from './dealt-with.ts'
import { noteApplied } from './note-applied.ts'
import { newestOf } from './read-feed.ts'
import { type Answers, readInTime } from './read-in-time.ts'
import { isNews } from './seen-by-the-way.ts'
import { cannotBeRead } from './sweep-transfers.ts'
import { perGo } from './wallet-patience.ts'

/** A page of the list, of up to a hundred, costs about as much as so many transfers that are read by their ids. */
const WORTH_A_PAGE = 10
/** A bank may write down what happened a little later than it did. */
const OVERLAP_MS = 200
/** And tell of it a little later than that. */
const LATER_BY_MS = 1_000
/** A reading that was left further away from what the messages tell of is not gone on with: it is begun where they say. */
const NEAR_MS = 60_000
const LONGEST_MS = 1_000
/** Pages per go, once all that are named were found or are few: they show who else is paid by now. */
const MOST_MORE = 5

/** What became of a transfer that was named: whether it was dealt with, or why it could not be read. */
export type Looked = PromiseSettledResult<boolean>

/**
 * By the ids of the transfers; `false`: the bank does not show it yet. One that there was no time to look for is left out. What the list
 * shows besides is handed to whoever wants to see it.
 */
export async function readNamedTransfers(
  deps: Deps,
  environment: Environment,
  { events, seenByTheWay }: { events: readonly ClaimedBankEvent[]; seenByTheWay: ListedTransfer[] },
): Promise<ReadonlyMap<string, Looked>> {
  const { dealt } = memoryOf(deps, environment)
  const apply = applierOf(deps, environment)
  const rail = railOfBank(deps, environment)
  const named = groupBy(events, ({ objectRef }) => objectRef)
  const looked = new Map<string, Looked>()
  for (const [ref, own] of named) {
    if (own.every((event) => isFresh(event) && dealt.knows(ref, event, rail.words.way))) looked.set(ref, DEALT_WITH)
  }
  // A list that cannot be read is reported by the sweep.
  await listChanges(deps, environment, { events, apply, looked, dealt, seenByTheWay }).catch(() => undefined)
  const left = [...named.keys()].filter((ref) => !looked.has(ref))
  const read = (ref: string) => readNamed(rail, ref)
  for await (const answers of readInTime<string, Read>(deps.clock, left, { read, late: null })) {
    for (const [ref, each] of await applyAnswers(answers, apply)) looked.set(ref, each)
  }
  return looked
}

const BY_CHANGE = { updatedAt: (transfer: ListedTransfer) => transfer.updatedAt }

interface ListedChanges {
  readonly events: readonly ClaimedBankEvent[]
  readonly apply: Apply
  readonly looked: Map<string, Looked>
  readonly dealt: DealtWith
  /** What the list shows besides. */
  readonly seenByTheWay: ListedTransfer[]
}

/**
 * Reads on in the list of what has changed. At most as many pages as cost what it costs to read all that are named by their ids, of those
 * that show none of them a few, and for a second: what the list does not show waits for it.
 */
async function listChanges(
  deps: Deps,
  environment: Environment,
  { events, apply, looked, dealt, seenByTheWay }: ListedChanges,
): Promise<void> {
  const rail = railOfBank(deps, environment)
  const dated = events.filter(isFresh)
  const left = groupBy(
    dated.filter(({ objectRef }) => !looked.has(objectRef)),
    ({ objectRef }) => objectRef,
  )
  const named = new Set(dated.map(({ objectRef }) => objectRef)).size
  let reading = named < WORTH_A_PAGE ? null : readingFor(dated, { left, dealt })
  // It is begun anew where this one fails.
  dealt.reading = null
  const until = monotonicMs(deps.clock) + LONGEST_MS
  let [pages, more] = [Math.floor(named / WORTH_A_PAGE), MOST_MORE]
  while (reading !== null && pages > 0 && more > 0 && monotonicMs(deps.clock) < until) {
    pages -= 1
    if (left.size < WORTH_A_PAGE) more -= 1
    const { since, cursor, upTo, watch }: ListReading = reading
    const page = await rail.listTransfers(since, cursor)
    watch(page.next)
    const isNamed = ({ transferRef }: ListedTransfer) => left.has(transferRef)
    const listed = newestOfEach(page.transfers)
    seenByTheWay.push(...listed.filter((each) => !isNamed(each) && isNews(each, dealt)))
    const shown = listed.filter(isNamed)
    await apply(shown, [])
    for (const transfer of shown) {
      const { transferRef } = transfer
      if (!left.get(transferRef)?.every((event) => isAnswered(event, transfer, rail.words.way))) continue
      looked.set(transferRef, DEALT_WITH)
      left.delete(transferRef)
    }
    const seenUpTo: Date | null = cursor === null ? newestOf(BY_CHANGE, page.transfers, null) : upTo
    if (page.next === null) dealt.listedUpTo = seenUpTo ?? dealt.listedUpTo
    reading = page.next === null ? null : { since, cursor: page.next, upTo: seenUpTo, watch }
  }
  dealt.reading = reading
}

/** The one that is under way, or a new one from where the last one ended: nothing is listed again and again. Null: it is not worth it. */
function readingFor(
  dated: readonly Fresh[],
  { left, dealt: { reading, listedUpTo } }: { left: ReadonlyMap<string, readonly Fresh[]>; dealt: DealtWith },
): ListReading | null {
  const newest = Math.max(...dated.map(({ happenedAt }) => happenedAt.getTime()))
  const isNear = (moment: Date) => Math.abs(moment.getTime() - newest) <= NEAR_MS
  if (reading !== null && isNear(reading.since)) return reading
  // One that tells of long ago would make the list long for all: it is read by its id.
  const told = [...left.values()].flat().map(({ happenedAt }) => happenedAt)
  const moments = [...told, ...(listedUpTo === null ? [] : [listedUpTo])].filter(isNear)
  if (moments.length === 0) return null
  const from = new Date(Math.min(...moments.map((moment) => moment.getTime())))
  return { since: after(from, -OVERLAP_MS), cursor: null, upTo: null, watch: watchForCircles() }
}

/** Whether this is what the message tells of, or what came after it. A page may show a transfer as it was before. */
function isAnswered(
  { happenedAt, state }: Fresh,
  { bankState, updatedAt }: ListedTransfer,
  way: readonly string[],
): boolean {
  // Where it is not said what has happened, a page that is older may not show it yet.
  if (state === null) return happenedAt <= updatedAt
  if (state !== bankState) return includesState(bankState, state, way)
  return happenedAt <= after(updatedAt, LATER_BY_MS)
}

type Fresh = ClaimedBankEvent & { readonly happenedAt: Date }

/** What was tried before, or was long on its way, would be looked for in a long list. */
function isFresh(event: ClaimedBankEvent): event is Fresh {
  const { happenedAt, receivedAt, attempts } = event
  if (happenedAt === null || attempts > 1) return false
  return Math.abs(receivedAt.getTime() - happenedAt.getTime()) <= ROWS_COME_WITHIN_MS
}

const DEALT_WITH: Looked = { status: 'fulfilled', value: true }

/** Those that have come together are applied together. One that cannot be read holds up none of the others. */
async function applyAnswers(
  answers: Answers<string, Read>,
  apply: Apply,
): Promise<readonly (readonly [string, Looked])[]> {
  const read = answers.map(([, each]) => (each.status === 'fulfilled' ? each.value : null))
  const unread = answers.flatMap(([transferRef], nth): UnreadTransfer[] => {
    const answer = read[nth]
    return answer instanceof UnreadableAnswer ? [{ transferRef, clientReference: null, why: answer.message }] : []
  })
  const applied = await settled(apply(read.filter(isTransfer), unread))
  const lookedAt = (answer: PromiseSettledResult<Read>): Looked => {
    if (answer.status === 'rejected') return answer
    if (answer.value === null) return { status: 'fulfilled', value: false }
    return answer.value === 'addition' || applied.status === 'fulfilled' ? DEALT_WITH : applied
  }
  return answers.map(([ref, answer]) => [ref, lookedAt(answer)])
}

/** What the operator added to a transfer is a transfer to the bank, and no payment: there is nothing to do about it. */
type Read = ListedTransfer | UnreadableAnswer | 'addition' | null

async function readNamed(rail: PayoutRail, ref: string): Promise<Read> {
  let isAddition = false
  const listed = await rail.readListed(ref, () => void (isAddition = true)).catch(unreadable)
  return isAddition ? 'addition' : listed
}

const isTransfer = (each: Read): each is ListedTransfer =>
  each !== null && each !== 'addition' && !(each instanceof UnreadableAnswer)

async function settled<T>(work: Promise<T>): Promise<PromiseSettledResult<T>> {
  return (await Promise.allSettled([work]))[0]
}

function unreadable(error: unknown): UnreadableAnswer {
  if (error instanceof UnreadableAnswer) return error
  throw error
}

type Apply = (transfers: readonly ListedTransfer[], unread: readonly UnreadTransfer[]) => Promise<void>

function applierOf(deps: Deps, environment: Environment): Apply {
  const { lately } = memoryOf(deps, environment)
  const apply = transfersApplier(deps, environment, perGo(lately))
  return async (transfers, unread) => {
    if (transfers.length === 0 && unread.length === 0) return
    const unsettled = [...unread.map(cannotBeRead(environment)), ...(await apply(transfers))]
    await noteApplied(deps, environment, { transfers, unsettled })
  }
}
