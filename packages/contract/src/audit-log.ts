// The audit log with its hashes, for whoever verifies it.
import { Type, type Static } from 'typebox'

import { ActivityEntry } from './activity.ts'
import { DateTime, Uuid } from './scalars.ts'
import { ListOf, Named, RefTo, Words } from './schema.ts'

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, in hexadecimal digits.' })
const Position = Type.Integer({ minimum: 0, description: 'The place in the chain; the first entry has 1.' })

export const AUDIT_CHAINS = ['sandbox', 'live', 'account'] as const
export const AuditChain = Words(AUDIT_CHAINS, {
  description: 'The entries of one environment, or `account` for those that are about neither.',
})

export const AuditHead = Named(
  'AuditHead',
  Type.Object(
    {
      partner_id: Uuid,
      chain: AuditChain,
      form: Type.Literal(1, { description: 'The version of what is hashed and signed.' }),
      position: Position,
      hash: Hash,
      signed_at: DateTime,
      key_id: Type.String({ description: 'Names one of the keys at `/.well-known/kestrel-signing-keys`.' }),
      signature: Type.String({ pattern: '^[A-Za-z0-9+/]{86}==$', description: 'Ed25519, in Base64.' }),
    },
    { description: 'Where a chain ended, signed. Keep it: it proves every entry up to its position, for ever.' },
  ),
)
export type AuditHead = Static<typeof AuditHead>

export const AuditHeadList = ListOf(AuditHead, { $id: 'AuditHeadList', description: 'Signed heads, the newest first.' })

export const AuditLink = Named(
  'AuditLink',
  Type.Object(
    {
      position: Position,
      form: Type.Literal(1),
      at: DateTime,
      id: Uuid,
      sealed_at: Type.String({ format: 'date-time', description: 'When the entry was linked.' }),
      entry_hash: Hash,
      hash: Hash,
      entry: Type.Unsafe<ActivityEntry | null>({
        anyOf: [RefTo(ActivityEntry), { type: 'null' }],
        description: 'Null for an entry of a month that is no longer kept.',
      }),
    },
    { description: 'An entry with its place in the chain.' },
  ),
)
export type AuditLink = Static<typeof AuditLink>

export const AuditLog = Named(
  'AuditLog',
  Type.Object(
    {
      object: Type.Literal('list'),
      partner_id: Uuid,
      chain: AuditChain,
      start: Type.Object(
        { position: Position, hash: Hash },
        { description: 'What the first link of this page goes on from: the one before, or zeros.' },
      ),
      data: Type.Array(RefTo(AuditLink)),
      has_more: Type.Boolean({ description: 'There are later entries: ask with the last position as `after`.' }),
      head: Type.Unsafe<AuditHead | null>({
        anyOf: [RefTo(AuditHead), { type: 'null' }],
        description: 'Where the chain ends now, signed for this answer. Null while it has no entries.',
      }),
    },
    { description: 'A part of a chain, the oldest entries first.' },
  ),
)
export type AuditLog = Static<typeof AuditLog>

export const SigningKey = Named(
  'SigningKey',
  Type.Object(
    {
      id: Type.String({ description: 'Names the key; it tells nothing about it.', examples: ['6c1f0b7a'] }),
      algorithm: Type.Literal('ed25519'),
      public_key: Type.String({ pattern: '^kspk_[A-Za-z0-9+/]{43}=$' }),
      signs_now: Type.Boolean({ description: 'What is signed now is signed with this one.' }),
    },
    { description: 'A public key that verifies heads of the audit log.' },
  ),
)
export type SigningKey = Static<typeof SigningKey>

export const SigningKeyList = ListOf(SigningKey, {
  $id: 'SigningKeyList',
  description: 'Every key that this service ever signed with, the one that signs now first.',
})
