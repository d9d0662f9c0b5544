// Verifies the chains of every business, or of one, and looks for entries that are in none.
import { type ChainName, CHAIN_NAMES } from '../../core/audit-chain.ts'
import { type ChainId, listChains } from '../../storage/audit-chains.ts'
import { newestHeads } from '../../storage/audit-heads.ts'
import { FIRST_PLACE, lookAtLinks } from '../../storage/unlinked-activity.ts'
import type { Deps } from '../deps.ts'
import { type AuditProblem, verifyChain } from './verify-chain.ts'

export interface Audited {
  readonly chains: number
  readonly entries: number
  /** Entries that the worker has still to link. */
  readonly waiting: number
  readonly problems: number
}

export interface FoundProblem extends AuditProblem {
  readonly chain: ChainName | null
}

const PAGE = 5_000

export async function verifyPartner(
  deps: Pick<Deps, 'db' | 'reports' | 'secrets'>,
  { partnerId, keptSince }: { partnerId: string; keptSince: Date | null },
  tell: (problem: FoundProblem) => void,
): Promise<Audited> {
  const chains = await chainsOf(deps, partnerId)
  let [entries, problems] = [0, 0]
  for (const chain of chains.filter(({ chain: name }) => CHAIN_NAMES.includes(name))) {
    const verified = await verifyChain(deps, chain, keptSince)
    entries += verified.entries
    if (verified.problem === null) continue
    problems++
    tell({ ...verified.problem, chain: chain.chain })
  }
  const loose = await findLoose(deps, partnerId)
  if (loose.first !== null) {
    problems++
    const wrong = 'this entry is in no chain: it was put in past the service'
    tell({ chain: null, position: null, id: loose.first, wrong })
  }
  return { chains: chains.length, entries, waiting: loose.waiting, problems }
}

/** Those that there are, and those that were ever signed: of a chain that was removed whole, its heads tell. */
async function chainsOf({ reports }: Pick<Deps, 'reports'>, partnerId: string): Promise<ChainId[]> {
  const chains = await listChains(reports, partnerId)
  const signed = (await newestHeads(reports, partnerId)).map(({ chain }) => ({ partnerId, chain }))
  return [...chains, ...signed.filter(({ chain }) => !chains.some((each) => each.chain === chain))]
}

async function findLoose({ reports }: Pick<Deps, 'reports'>, partnerId: string) {
  let after: { readonly at: string; readonly id: string } = FIRST_PLACE
  let waiting = 0
  for (;;) {
    const page = await lookAtLinks(reports, partnerId, after, PAGE)
    const first = page.find(({ state }) => state === 'unlinked')
    if (first !== undefined) return { first: first.id, waiting }
    waiting += page.filter(({ state }) => state !== 'linked').length
    if (page.length < PAGE) return { first: null, waiting }
    after = page.at(-1)!
  }
}

/** The first moment whose entries must be there: whole months (UTC) are kept. */
export function keptSinceOf(now: Date, months: number | null): Date | null {
  return months === null ? null : new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months))
}
