// Signed heads as partners keep them: the same as the API answers, also as a file beside an invoice.
import type { AuditHead } from '@kestrel/contract'

import type { Attachment } from '../../mail/mail.ts'
import { type SignedHead, newestHeads } from '../../storage/audit-heads.ts'
import type { Db } from '../../storage/sql.ts'

export function asKept(partnerId: string, head: SignedHead): AuditHead {
  return {
    partner_id: partnerId,
    chain: head.chain,
    form: 1,
    position: head.position,
    hash: head.hash.toString('hex'),
    signed_at: head.signedAt.toISOString(),
    key_id: head.keyId,
    signature: head.signature.toString('base64'),
  }
}

/** The newest head of each chain; nothing while none is signed. */
export async function headAttachments(db: Db, partnerId: string): Promise<Attachment[]> {
  const heads = await newestHeads(db, partnerId)
  if (heads.length === 0) return []
  const text = `${JSON.stringify({ object: 'list', data: heads.map((head) => asKept(partnerId, head)) }, null, 2)}\n`
  const base64 = Buffer.from(text).toString('base64')
  return [{ fileName: 'audit-log-heads.json', contentType: 'application/json', base64 }]
}
