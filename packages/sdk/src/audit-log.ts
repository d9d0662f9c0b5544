// Whether an exported audit log is whole: needs no service, only what was exported and the keys. WebCrypto only. What is hashed is
// the canonical form, version 1.
import { hexOf } from './bytes.ts'
import type { AuditHead, AuditLink, AuditLog } from './generated/types.ts'
import { type SigningKeys, isSigned } from './is-signed.ts'

/** A chain as it was exported: the pages of one chain, in order. */
export type ExportedLog = Pick<AuditLog, 'partner_id' | 'chain' | 'start' | 'data' | 'head'>

export interface VerifyLogOptions {
  readonly keys: SigningKeys
  /** Heads that you have kept, from mails or earlier exports. They find a history that was written anew. */
  readonly heads?: readonly AuditHead[]
  /** Months before this moment are no longer kept: their entries may be missing. None may, without it. */
  readonly keptSince?: string | Date
}

export type LogVerdict =
  | {
      readonly isWhole: true
      readonly partner_id: string
      readonly chain: ExportedLog['chain']
      readonly entries: number
      /** Entries up to this position were forgotten, and are not proven: 0 unless you gave `keptSince`. */
      readonly forgotten: number
      readonly position: number
      readonly hash: string
      /** When the head at the end was signed: an older export is as whole as it was then. Null: the log is empty. */
      readonly signed_at: string | null
    }
  | {
      readonly isWhole: false
      /** Of the first entry that differs. */
      readonly position: number
      readonly id: string | null
      readonly problem:
        | 'changed'
        | 'removed'
        | 'link_changed'
        | 'truncated'
        | 'other_history'
        | 'not_signed'
        | 'unknown_form'
        | 'unreadable'
      readonly message: string
    }

type Problem = Extract<LogVerdict, { isWhole: false }>

/** Names the first entry that differs; answers, and does not throw, whatever it is given. `summary` of an entry is not proven. */
export async function verifyAuditLog(log: ExportedLog, options: VerifyLogOptions): Promise<LogVerdict> {
  try {
    return await verdictOn(log, options)
  } catch {
    return problem(0, null, 'unreadable', 'This is no log as it is exported.')
  }
}

async function verdictOn(log: ExportedLog, options: VerifyLogOptions): Promise<LogVerdict> {
  const heads = [...(options.heads ?? []), ...(log.head === null ? [] : [log.head])]
  for (const head of heads) {
    const found = await headProblem(log, head, options.keys)
    if (found !== null) return found
  }
  const keptSince = options.keptSince === undefined ? -Infinity : new Date(options.keptSince).getTime()
  let [position, hash] = [log.start.position, log.start.hash]
  if (position > 0 && options.keptSince === undefined) return problem(1, null, 'removed', NOT_FORGOTTEN)
  if (position === 0 && hash !== NO_HASH)
    return problem(1, null, 'link_changed', 'The log does not begin with nothing.')
  const disagrees = () => heads.find((head) => head.position === position && head.hash !== hash)
  if (disagrees() !== undefined) return problem(position, null, 'other_history', OTHER_HISTORY)
  for (const link of log.data) {
    const found = await linkProblem(log, link, { position: position + 1, previous: hash, keptSince })
    if (found !== null) return found
    ;[position, hash] = [link.position, link.hash]
    if (disagrees() !== undefined) return problem(position, link.id, 'other_history', OTHER_HISTORY)
  }
  const last = Math.max(...heads.map((head) => head.position), position)
  if (position < last)
    return problem(position + 1, null, 'truncated', `A head was signed at ${last}: the log ends before it.`)
  const end = heads.filter((head) => head.position === position).at(-1)
  // Anybody can compute hashes: without a signature they prove nothing.
  if (position > 0 && end === undefined) return problem(position, null, 'not_signed', 'No signed head is of this end.')
  const { partner_id, chain, start } = log
  const signed_at = end?.signed_at ?? null
  return {
    isWhole: true,
    partner_id,
    chain,
    entries: log.data.length,
    forgotten: start.position,
    position,
    hash,
    signed_at,
  }
}

const NO_HASH = '0'.repeat(64)
const NOT_FORGOTTEN = 'The first entries are missing, and no month is said to be forgotten.'
const OTHER_HISTORY =
  'A signed head is of another history: an entry up to here was replaced, and the links after it were made anew.'

async function linkProblem(
  log: ExportedLog,
  link: AuditLink,
  { position, previous, keptSince }: { position: number; previous: string; keptSince: number },
): Promise<Problem | null> {
  if (link.position !== position) return problem(position, null, 'removed', 'There is no entry at this position.')
  if (link.form !== 1) return problem(position, link.id, 'unknown_form', 'Of a newer form than this program knows.')
  if (link.entry === null && !(Date.parse(link.at) < keptSince)) {
    return problem(position, link.id, 'removed', 'The entry is missing, and its month is not one that is forgotten.')
  }
  if (link.entry !== null && (await entryHash(link)) !== link.entry_hash) {
    return problem(position, link.id, 'changed', 'The entry is not what was written.')
  }
  const { at, id, sealed_at, entry_hash } = link
  const values = [log.partner_id, log.chain, position, at, id, sealed_at, entry_hash, previous]
  if ((await sha256('link', values)) === link.hash) return null
  return problem(position, link.id, 'link_changed', 'The link was changed, or belongs elsewhere.')
}

function entryHash({ at, id, entry }: AuditLink): Promise<string> {
  const of = entry!
  return sha256('entry', [
    of.at === at ? at : `${of.at} and not ${at}`,
    of.id === id ? id : `${of.id} and not ${id}`,
    of.environment,
    of.action,
    of.status,
    of.by,
    of.by_name,
    of.detail,
    of.key_id,
    of.method,
    of.path,
    of.duration_ms,
    of.ip,
    of.subject,
    of.changes.map(({ field, before, after }) => [field, before, after]),
  ])
}

async function headProblem(log: ExportedLog, head: AuditHead, keys: VerifyLogOptions['keys']): Promise<Problem | null> {
  const { position, hash, signed_at, key_id, signature } = head
  if (head.partner_id !== log.partner_id || head.chain !== log.chain) {
    return problem(position, null, 'other_history', 'The head is of another business, or of another chain.')
  }
  const text = textOf('head', [log.partner_id, log.chain, position, hash, signed_at])
  const key = keys.find(({ id }) => id === key_id)
  if (key !== undefined && (await isSigned(key.public_key, signature, text))) return null
  return problem(position, null, 'not_signed', `The head of ${signed_at} is not signed by one of the keys.`)
}

async function sha256(kind: 'entry' | 'link', values: readonly unknown[]): Promise<string> {
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', textOf(kind, values))))
}

function textOf(kind: 'entry' | 'link' | 'head', values: readonly unknown[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`kestrel activity ${kind} v1\n${JSON.stringify(values)}`)
}

function problem(position: number, id: string | null, kind: Problem['problem'], message: string): Problem {
  return { isWhole: false, position, id, problem: kind, message: `${message} (position ${position})` }
}
