// What to say about a request that did not work: what happened, whether money moved, what to do.
import { ApiError, Unanswered } from '../server/client.ts'

export interface Failure {
  readonly title: string
  readonly message: string
  readonly requestId: string | null
}

export function describeFailure(error: unknown): Failure {
  if (error instanceof ApiError) {
    return { title: titleOf(error), message: error.message, requestId: error.requestId }
  }
  if (error instanceof Unanswered) {
    return {
      title: 'The server did not answer',
      message: 'Check your connection, then try again.',
      requestId: null,
    }
  }
  return {
    title: 'This part of the page stopped working',
    message: 'That is our mistake. Reload the page; if it happens again, tell us what you were doing.',
    requestId: null,
  }
}

/** For a request that changes something: after silence nobody knows whether it was done. */
export function describeChangeFailure(error: unknown): Failure {
  const failure = describeFailure(error)
  if (!(error instanceof Unanswered)) return failure
  return {
    ...failure,
    message:
      'The server did not answer, so we do not know whether it was done. See what this page shows now, then try again.',
  }
}

function titleOf(error: ApiError): string {
  if (error.code === 'partner_not_active') return 'This account is not active'
  if (error.code === 'api_key_required') return 'You cannot do this'
  if (error.code === 'not_found') return 'There is nothing here'
  if (error.code === 'rate_limited') return 'Too many requests'
  if (error.code === 'bank_unavailable') return 'The bank is not answering'
  if (error.status >= 500) return 'Something went wrong on our side'
  return 'That did not work'
}
