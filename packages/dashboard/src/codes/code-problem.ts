import { describeFailure } from '../app/failure.ts'
import { count } from '../format/people.ts'
import { ApiError } from '../server/client.ts'

/** Says why an emailed code was not taken, at sign-in and in every dialog that asks for one. */
export function codeProblem(error: Error): string {
  if (!(error instanceof ApiError) || error.code !== 'code_not_accepted') return describeFailure(error).message
  const left = error.details['tries_left']
  const reason = error.details['reason']
  if (reason === 'changed') return 'This was changed after the code was sent. Ask for a new code.'
  if (reason === 'expired') return 'This code is too old. Ask for a new one.'
  if (reason === 'used_up' || left === 0) return 'This code cannot be used any more. Ask for a new one.'
  if (typeof left !== 'number') return 'That code is not right.'
  return `That code is not right. ${count(left, 'try', 'tries')} left.`
}
