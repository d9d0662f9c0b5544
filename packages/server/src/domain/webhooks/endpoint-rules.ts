// What an endpoint may look like: where it may be, and which events it may ask for.
import { EVENT_TYPES } from '@kestrel/contract'

import { AppError } from '../../core/errors.ts'
import type { Environment } from '@kestrel/contract'
import { type UrlVerdict, bareHost, judgeUrl } from '../../outbound/endpoint-url.ts'
import { NOT_PUBLIC, RefusedAddressError } from '../../outbound/resolve-checked.ts'
import type { Deps } from '../deps.ts'

const LONGEST_KEPT = 4_000

type AllowedUrl = Extract<UrlVerdict, { isAllowed: true }>

/** The address as it is kept. Looks its name up; a name server that does not answer now is asked again when we send. */
export async function requireAllowedUrl(
  deps: Pick<Deps, 'outbound'>,
  environment: Environment,
  text: string,
): Promise<string> {
  const { url, reach } = readUrl(deps, environment, text)
  // Letters outside of ASCII become three times as long, or more.
  if (url.href.length > LONGEST_KEPT)
    throw notAllowed(text, `it is longer than ${LONGEST_KEPT} characters, as it is sent`)
  try {
    await deps.outbound.sender.check(bareHost(url), reach)
  } catch (error) {
    if (error instanceof RefusedAddressError) throw notAllowed(text, error.message)
    if (isNameUnknown(error)) throw notAllowed(text, NOT_PUBLIC)
  }
  return url.href
}

/** Judged again for every attempt: what was allowed when it was made may not be any more. */
export function judgeKeptUrl(deps: Pick<Deps, 'outbound'>, environment: Environment, text: string): UrlVerdict {
  return judgeUrl(text, environment === 'sandbox' && deps.outbound.mayReachThisMachine)
}

function readUrl(deps: Pick<Deps, 'outbound'>, environment: Environment, text: string): AllowedUrl {
  const verdict = judgeKeptUrl(deps, environment, text)
  if (!verdict.isAllowed) throw notAllowed(text, verdict.why)
  return verdict
}

function isNameUnknown(error: unknown): boolean {
  return ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes((error as { code?: string }).code ?? '')
}

/** Enough to recognise it. The rest of an address may be a token. */
const LONGEST_SHOWN = 60

function notAllowed(text: string, why: string): AppError {
  return new AppError(
    'endpoint_not_allowed',
    `Webhooks are not sent to ${shown(text)}: ${why}. Use an https address that the internet can reach.`,
  )
}

function shown(text: string): string {
  if (text === '') return 'an empty address'
  // A password in an address is not repeated.
  if (text.includes('@')) return 'this address'
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES)

/** Without repetitions. `*` stands for all, and makes others pointless. */
export function requireKnownEvents(events: readonly string[]): readonly string[] {
  const unknown = events.find((type) => type !== '*' && !KNOWN.has(type))
  if (unknown === undefined) return events.includes('*') ? ['*'] : [...new Set(events)]
  const nearest = nearestType(unknown)
  throw new AppError('invalid_request', `No event is called ${unknown}. Did you mean ${nearest}?`, {
    details: { fields: [`events (such as ${nearest})`] },
  })
}

function nearestType(text: string): string {
  const byDistance = EVENT_TYPES.map((type) => ({ type, distance: editDistance(text, type) }))
  return byDistance.toSorted((one, other) => one.distance - other.distance)[0]!.type
}

/** How many letters have to be added, left out or replaced. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [place, letter] of [...from].entries()) {
    const next = [place + 1]
    for (let index = 1; index <= to.length; index++) {
      const replaced = row[index - 1]! + (to[index - 1] === letter ? 0 : 1)
      next.push(Math.min(replaced, row[index]! + 1, next[index - 1]! + 1))
    }
    row = next
  }
  return row.at(-1)!
}
