// A chain page by page, with its end signed for whoever asks.
import { readChain, readLinks, readLink } from '../../storage/audit-chains.ts'
import type { ChainId, ChainRow, LinkedEntry } from '../../storage/audit-chains.ts'
import { type SignedHead, listHeads } from '../../storage/audit-heads.ts'
import { AppError } from '../../core/errors.ts'
import { NO_HASH } from '../../core/audit-chain.ts'
import type { Deps } from '../deps.ts'
import { signedHead } from './sign-heads.ts'

export interface AuditLogPage {
  readonly start: Pick<ChainRow, 'position' | 'hash'>
  readonly links: readonly LinkedEntry[]
  readonly hasMore: boolean
  readonly head: SignedHead | null
}

const NOTHING: AuditLogPage = { start: { position: 0, hash: NO_HASH }, links: [], hasMore: false, head: null }

export async function readAuditLog(
  deps: Pick<Deps, 'reports' | 'clock' | 'secrets'>,
  id: ChainId,
  { after, limit }: { after: number; limit: number },
): Promise<AuditLogPage> {
  // The end first: what is linked meanwhile is not looked at.
  const chain = await readChain(deps.reports, id)
  if (chain === null || chain.position === 0) return NOTHING
  const start = await startOf(deps, chain, after)
  const links = await readLinks(deps.reports, id, { after: start.position, upTo: chain.position, most: limit })
  return {
    start,
    links,
    hasMore: (links.at(-1)?.position ?? start.position) < chain.position,
    head: signedHead(deps.secrets, id, chain, deps.clock.now()),
  }
}

async function startOf({ reports }: Pick<Deps, 'reports'>, chain: ChainRow, after: number) {
  if (after <= chain.forgotten) return { position: chain.forgotten, hash: chain.forgottenHash }
  const hash = after > chain.position ? null : await readLink(reports, chain, after)
  if (hash !== null) return { position: after, hash }
  throw new AppError(
    'invalid_request',
    `The chain has ${chain.position} entries: there is none at ${after} to go on after.`,
    {
      details: { fields: ['after (a position of the chain)'] },
    },
  )
}

const AFTER_EVERY_DAY = '9999-12-31'

/** Those that were signed daily, the newest first. */
export function listSignedHeads(
  deps: Pick<Deps, 'reports'>,
  id: ChainId,
  { before, limit }: { before: string | null; limit: number },
): Promise<SignedHead[]> {
  return listHeads(deps.reports, id, { before: before ?? AFTER_EVERY_DAY, most: limit })
}
