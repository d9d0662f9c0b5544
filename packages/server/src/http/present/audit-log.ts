import type { AuditLink, AuditLog, SigningKey } from '@kestrel/contract'

import { asKept } from '../../domain/audit/head-file.ts'
import type { publicKeys } from '../../domain/audit/platform-keys.ts'
import type { AuditLogPage } from '../../domain/audit/read-audit-log.ts'
import { presentActivity } from './activity.ts'

type Chain = Pick<AuditLog, 'partner_id' | 'chain'>

export function presentAuditLog(chain: Chain, { start, links, hasMore, head }: AuditLogPage): AuditLog {
  return {
    object: 'list',
    ...chain,
    start: { position: start.position, hash: start.hash.toString('hex') },
    data: links.map(presentLink),
    has_more: hasMore,
    head: head === null ? null : asKept(chain.partner_id, head),
  }
}

function presentLink(link: AuditLogPage['links'][number]): AuditLink {
  return {
    position: link.position,
    form: 1,
    at: link.at.toISOString(),
    id: link.id,
    sealed_at: link.sealedAt.toISOString(),
    entry_hash: link.entryHash.toString('hex'),
    hash: link.hash.toString('hex'),
    entry: link.isThere ? presentActivity(link) : null,
  }
}

export function presentSigningKey(key: Awaited<ReturnType<typeof publicKeys>>[number], place: number): SigningKey {
  const { id, publicKey } = key
  return { id, algorithm: 'ed25519', public_key: `kspk_${publicKey.toString('base64')}`, signs_now: place === 0 }
}
