// The audit log of a demo business: its first entry, and the head that proves it.
import type { AuditHead, AuditHeadList, AuditLog, SigningKeyList } from '@kestrel/contract'
import type { Static } from 'typebox'

import { ACTIVITY } from './activity-examples.ts'

const HASH = '9f2c41d07be58a36'.repeat(4)
const ENTRY = ACTIVITY.data[0]!
const PARTNER_ID = '01a0f67a-3800-70ed-9995-31985d5d9dc9'

const HEAD: AuditHead = {
  partner_id: PARTNER_ID,
  chain: 'sandbox',
  form: 1,
  position: 1,
  hash: HASH,
  signed_at: '2026-11-03T00:04:10.221Z',
  key_id: '6c1f0b7a',
  signature: `${'p2Qa'.repeat(21)}p2==`,
}

export const AUDIT_LOG: AuditLog = {
  object: 'list',
  partner_id: PARTNER_ID,
  chain: 'sandbox',
  start: { position: 0, hash: '0'.repeat(64) },
  data: [
    {
      position: 1,
      form: 1,
      at: ENTRY.at,
      id: ENTRY.id,
      sealed_at: '2026-11-02T09:15:31.407Z',
      entry_hash: '5d0c1a7be82f4693'.repeat(4),
      hash: HASH,
      entry: ENTRY,
    },
  ],
  has_more: false,
  head: HEAD,
}

export const AUDIT_HEADS: Static<typeof AuditHeadList> = { object: 'list', data: [HEAD] }

export const SIGNING_KEYS: Static<typeof SigningKeyList> = {
  object: 'list',
  data: [{ id: '6c1f0b7a', algorithm: 'ed25519', public_key: `kspk_${'p2Qa'.repeat(10)}p20=`, signs_now: true }],
}
