// Computes a chain again and compares: each entry with its hash, each link with the one before it, the end, and every head that
// was ever signed. It changes nothing, and names the first place that differs.
import { entryHash, headText, linkHash } from '../../core/audit-chain.ts'
import { type ChainId, type ChainRow, type LinkedEntry, readChain, readLinks } from '../../storage/audit-chains.ts'
import { type SignedHead, listHeads } from '../../storage/audit-heads.ts'
import type { Deps } from '../deps.ts'
import { isSignedByUs } from './platform-keys.ts'

export interface AuditProblem {
  readonly position: number | null
  /** The entry, where there is one to name. */
  readonly id: string | null
  readonly wrong: string
}

export interface VerifiedChain {
  readonly entries: number
  readonly problem: AuditProblem | null
}

type VerifyDeps = Pick<Deps, 'db' | 'reports' | 'secrets'>

const PAGE = 5_000
/** A head per day: more than a century. */
const MOST_HEADS = 50_000
const AFTER_EVERY_DAY = '9999-12-31'

/** `keptSince`: entries before it may be gone, because their month was forgotten; null when none may. */
export async function verifyChain(deps: VerifyDeps, id: ChainId, keptSince: Date | null): Promise<VerifiedChain> {
  // The heads first: the chain, as it is read after them, reaches at least as far.
  const heads = await listHeads(deps.reports, id, { before: AFTER_EVERY_DAY, most: MOST_HEADS })
  const chain = await readChain(deps.reports, id)
  if (chain === null) return { entries: 0, problem: { position: 1, id: null, wrong: 'the whole chain was removed' } }
  if (chain.forgotten > 0 && keptSince === null) return { entries: 0, problem: notForgotten(chain) }
  const forged = await findForged(deps, chain, heads)
  if (forged !== null) return { entries: 0, problem: forged }
  const walked = await walk(deps, chain, { keptSince, heads: new Map(heads.map((head) => [head.position, head])) })
  if (walked.problem === null) return walked
  const now = await readChain(deps.reports, id)
  // A month was forgotten meanwhile: the chain begins elsewhere.
  return now !== null && now.forgotten > chain.forgotten ? verifyChain(deps, id, keptSince) : walked
}

const notForgotten = ({ forgotten }: ChainRow): AuditProblem => ({
  position: 1,
  id: null,
  wrong: `the entries up to ${forgotten} were removed, and no month is ever forgotten here`,
})

async function findForged(
  deps: VerifyDeps,
  chain: ChainRow,
  heads: readonly SignedHead[],
): Promise<AuditProblem | null> {
  for (const head of heads.toReversed()) {
    const { position, signedAt, keyId, signature } = head
    if (await isSignedByUs(deps, keyId, { text: headText(chain, head), signature })) continue
    return { position, id: null, wrong: `the head of ${signedAt.toISOString()} is not signed by a key of this service` }
  }
  return null
}

interface Walk {
  readonly keptSince: Date | null
  readonly heads: ReadonlyMap<number, SignedHead>
}

async function walk({ reports }: VerifyDeps, chain: ChainRow, { keptSince, heads }: Walk): Promise<VerifiedChain> {
  let end = { position: chain.forgotten, hash: chain.forgottenHash }
  let entries = 0
  const stop = (problem: Omit<AuditProblem, 'id'>, id: string | null = null) => ({
    entries,
    problem: { ...problem, id },
  })
  const first = headProblem(heads.get(end.position), end)
  if (first !== null) return stop(first)
  for (;;) {
    const page = await readLinks(reports, chain, { after: end.position, upTo: chain.position, most: PAGE })
    for (const link of page) {
      const position = end.position + 1
      if (link.position !== position) return stop({ position, wrong: 'this entry was removed, with its link' })
      const wrong = linkProblem(chain, link, { previous: end.hash, keptSince })
      if (wrong !== null) return stop({ position, wrong }, link.id)
      end = link
      const head = headProblem(heads.get(position), end)
      if (head !== null) return stop(head, link.id)
      entries++
    }
    if (page.length < PAGE) break
  }
  return { entries, problem: endProblem(chain, end, [...heads.keys()]) }
}

function linkProblem(
  chain: ChainRow,
  link: LinkedEntry,
  { previous, keptSince }: { previous: Buffer; keptSince: Date | null },
): string | null {
  const mayBeGone = keptSince !== null && link.at < keptSince
  if (!link.isThere && !mayBeGone) return 'this entry was removed'
  if (link.isThere && !entryHash(link).equals(link.entryHash)) return 'this entry was changed'
  if (!linkHash(chain, link, previous).equals(link.hash)) return 'the link of this entry was changed or put elsewhere'
  return null
}

type End = Pick<LinkedEntry, 'position' | 'hash'>

function headProblem(head: SignedHead | undefined, end: End): Omit<AuditProblem, 'id'> | null {
  if (head === undefined || head.hash.equals(end.hash)) return null
  const signed = head.signedAt.toISOString()
  return {
    position: end.position,
    wrong: `the head signed at ${signed} is of another history: an entry up to here was replaced, and all links after it were made anew`,
  }
}

function endProblem(chain: ChainRow, end: End, signed: readonly number[]): AuditProblem | null {
  const last = Math.max(chain.position, ...signed)
  const isWhole = end.position === last && (end.position !== chain.position || end.hash.equals(chain.hash))
  if (isWhole) return null
  return end.position < last
    ? { position: end.position + 1, id: null, wrong: `this entry and all after it, up to ${last}, were removed` }
    : { position: end.position, id: null, wrong: 'the chain’s end is not the hash of its last link' }
}
