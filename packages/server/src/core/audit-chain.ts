// The canonical form of the audit log, version 1: what is hashed, and what is signed. Partners verify with programs of their own
// (docs/audit-log.md), so a change here is a new version beside this one.
import type { Change, Environment } from '@kestrel/contract'

import { sha256 } from './ids.ts'

export const AUDIT_FORM = 1

/** One per environment, and one for what is about neither. */
export type ChainName = Environment | 'account'
export const CHAIN_NAMES: readonly ChainName[] = ['sandbox', 'live', 'account']

export interface ChainedEntry {
  readonly at: Date
  readonly id: string
  readonly environment: Environment | null
  readonly action: string
  readonly status: number | null
  readonly by: string
  readonly byName: string | null
  readonly detail: string | null
  readonly keyId: string | null
  readonly method: string | null
  readonly path: string | null
  readonly durationMs: number | null
  readonly ip: string | null
  readonly subject: string | null
  readonly changes: readonly Change[] | null
}

/** The hash before the first entry. */
export const NO_HASH = Buffer.alloc(32)

/** An entry as JSON.stringify writes the list of its values. */
export function entryHash(entry: ChainedEntry): Buffer {
  const changes = (entry.changes ?? []).map(({ field, before, after }) => [field, before, after])
  return hashOf('entry', [
    entry.at.toISOString(),
    entry.id,
    entry.environment,
    entry.action,
    entry.status,
    entry.by,
    entry.byName,
    entry.detail,
    entry.keyId,
    entry.method,
    entry.path,
    entry.durationMs,
    entry.ip,
    entry.subject,
    changes,
  ])
}

export interface ChainId {
  readonly partnerId: string
  readonly chain: ChainName
}

export interface Link {
  readonly position: number
  readonly at: Date
  readonly id: string
  readonly sealedAt: Date
  readonly entryHash: Buffer
}

export function linkHash({ partnerId, chain }: ChainId, link: Link, previous: Buffer): Buffer {
  return hashOf('link', [
    partnerId,
    chain,
    link.position,
    link.at.toISOString(),
    link.id,
    link.sealedAt.toISOString(),
    link.entryHash.toString('hex'),
    previous.toString('hex'),
  ])
}

export interface Head {
  readonly position: number
  readonly hash: Buffer
  readonly signedAt: Date
}

/** What is signed of the end of a chain. */
export function headText({ partnerId, chain }: ChainId, { position, hash, signedAt }: Head): string {
  return textOf('head', [partnerId, chain, position, hash.toString('hex'), signedAt.toISOString()])
}

function textOf(kind: 'entry' | 'link' | 'head', values: readonly unknown[]): string {
  return `kestrel activity ${kind} v${AUDIT_FORM}\n${JSON.stringify(values)}`
}

const hashOf = (kind: 'entry' | 'link', values: readonly unknown[]): Buffer => sha256(textOf(kind, values))
