// What the SDK throws, as the end of a command. Loaded only when something has failed.
import {
  ApiError,
  ConnectionError,
  KestrelError,
  OutcomeUnknownError,
  StillUnderWayError,
  UsageError,
} from '@kestrel/sdk'

import type { Doubt } from './doubt.ts'
import { EXIT, Failure, misuse } from './failure.ts'

/** Codes that a different key, or one with other rights, would not get. */
const ABOUT_THE_KEY: ReadonlySet<string> = new Set([
  'unauthorized',
  'scope_missing',
  'address_not_allowed',
  'api_key_required',
])

/** The SDK's word for the page of something in between: the service has no such code, and no page about it. */
const FOREIGN = 'unexpected_answer'
const DOCTOR = 'kestrel-pay doctor looks for the reason.'

/** Whoever called checks nothing twice: an error that is nobody's is thrown on. */
export function failureOf(error: unknown, { mayHaveChanged }: Doubt = { mayHaveChanged: false }): Failure {
  if (error instanceof Failure) return error
  if (error instanceof OutcomeUnknownError) return unknownOutcome(error.message, error.idempotencyKey)
  if (error instanceof StillUnderWayError) return stillUnderWay(error)
  if (mayHaveChanged && !isAnswer(error)) return inDoubt(error)
  if (error instanceof ApiError) return refusal(error)
  if (error instanceof UsageError) return misuse(error.message)
  if (error instanceof ConnectionError) {
    const { message, nothingWasSent } = error
    // An earlier call may have been heard, or a cancellation.
    const certainty = nothingWasSent ? 'Nothing was sent.' : 'Repeat it when somebody does: that tells what is so.'
    return new Failure(`${message}. ${certainty}`, {
      exit: EXIT.refused,
      code: 'no_answer',
      hints: [DOCTOR],
      more: { nothing_was_sent: nothingWasSent },
    })
  }
  if (isAbort(error)) return stopped()
  throw error
}

/** A refusal that says what is so: of a payout with a key, `refusal` decides by the key. */
function isAnswer(error: unknown): boolean {
  if (error instanceof UsageError) return true
  return error instanceof ApiError && (error.idempotencyKey !== null || !(error.retryable || error.status >= 500))
}

/** Something was asked for that has no key, and what became of it was not told. */
function inDoubt(error: unknown): Failure {
  const why = error instanceof Error && !isAbort(error) ? error.message.replace(/\.?$/, '.') : 'Stopped.'
  return new Failure(`${why} What was asked for may have happened.`, {
    exit: EXIT.unknown,
    code: 'outcome_unknown',
    hints: ['Look before you repeat it: kestrel-pay logs tail --once --changes'],
    more: { nothing_was_sent: false },
  })
}

/** What ended the asking for a payout. `isNew`: its key was made a moment ago, so there is no earlier try. */
export function whilePaying(
  error: unknown,
  { key, isNew }: { readonly key: string; readonly isNew: boolean },
): Failure {
  const isUnheard = error instanceof ConnectionError || isAbort(error)
  if (isUnheard && isNew) return unheard(error)
  if (isUnheard) {
    const why = error instanceof ConnectionError ? `${error.message}.` : 'Stopped.'
    return unknownOutcome(`${why} An earlier try with this key may have paid.`, key)
  }
  if (error instanceof Failure || error instanceof KestrelError) return failureOf(error)
  return unknownOutcome('The answer is none of the service: the payout may have been made.', key)
}

function unheard(error: unknown): Failure {
  const isStop = !(error instanceof ConnectionError)
  return new Failure(`${isStop ? 'Stopped' : error.message}. Nothing was sent.`, {
    exit: EXIT.refused,
    code: isStop ? 'stopped' : 'no_answer',
    hints: isStop ? [] : [DOCTOR],
    more: { nothing_was_sent: true },
  })
}

function unknownOutcome(
  message: string,
  idempotencyKey: string,
  more: Readonly<Record<string, unknown>> = {},
): Failure {
  return new Failure(message, {
    exit: EXIT.unknown,
    code: 'outcome_unknown',
    hints: [`Repeat the same command with --idempotency-key ${idempotencyKey}`],
    more: { idempotency_key: idempotencyKey, nothing_was_sent: false, ...more },
  })
}

function refusal(error: ApiError): Failure {
  const { code, status, requestId, docUrl, details, idempotencyKey, nothingWasSent, message } = error
  const about = { status, request_id: requestId, doc_url: docUrl, ...(details === undefined ? {} : { details }) }
  const isAboutTheKey = status === 401 || ABOUT_THE_KEY.has(code)
  // A key that names another payout is an answer, and a certain one.
  const isOpen = idempotencyKey !== null && !nothingWasSent && code !== 'idempotency_key_reused'
  if (isOpen && !isAboutTheKey) {
    return unknownOutcome(`${message} (${code}) The payout may have been made.`, idempotencyKey, {
      ...about,
      refusal: code,
    })
  }
  return new Failure(message, {
    exit: isAboutTheKey ? EXIT.notAuthorised : EXIT.refused,
    code,
    hints: [
      ...(nothingWasSent && idempotencyKey !== null ? ['Nothing was sent.'] : []),
      ...(isOpen ? [openQuestion(idempotencyKey)] : []),
      code === FOREIGN ? DOCTOR : `kestrel-pay docs ${code}${requestId === null ? '' : `   (request ${requestId})`}`,
    ],
    more: { ...about, nothing_was_sent: nothingWasSent },
  })
}

/** Refused before anybody looked the payout up. */
function openQuestion(idempotencyKey: string): string {
  return `Whether an earlier try with --idempotency-key ${idempotencyKey} paid is not known: repeat it with an API key that is accepted.`
}

function stillUnderWay({ message, payoutId }: StillUnderWayError): Failure {
  return new Failure(message, {
    exit: EXIT.unknown,
    code: 'still_under_way',
    hints: [`kestrel-pay payouts watch ${payoutId}`],
    more: { payout_id: payoutId },
  })
}

/** Once a payout was made, whatever goes wrong is no refusal of it. */
export function afterPaying(
  error: unknown,
  { payoutId, idempotencyKey }: { readonly payoutId: string; readonly idempotencyKey: string },
): Failure {
  const { code, why } = reasonOf(error)
  return new Failure(`Payout ${payoutId} was made, with the idempotency key ${idempotencyKey}. ${why}`, {
    exit: EXIT.unknown,
    code,
    hints: [`kestrel-pay payouts watch ${payoutId}`],
    more: { payout_id: payoutId, idempotency_key: idempotencyKey, nothing_was_sent: false },
  })
}

function reasonOf(error: unknown): { readonly code: string; readonly why: string } {
  if (isAbort(error)) return { code: 'stopped', why: 'Nobody waits for its end any more.' }
  const why = error instanceof Error ? error.message : String(error)
  if (error instanceof StillUnderWayError) return { code: 'still_under_way', why }
  if (error instanceof ApiError) return { code: error.code, why: `How it ends was not told: ${why}` }
  if (error instanceof ConnectionError) return { code: 'no_answer', why: `How it ends was not told: ${why}.` }
  return { code: 'not_shown', why: `It could not be shown: ${why}.` }
}

function isAbort(error: unknown): boolean {
  return (error as Error | null)?.name === 'AbortError'
}

function stopped(): Failure {
  return new Failure('Stopped.', { exit: EXIT.refused, code: 'stopped' })
}
