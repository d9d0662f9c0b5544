import { describe, expect, it } from 'vitest'

import { ApiError, Unanswered } from '../server/client.ts'
import { codeProblem } from './code-problem.ts'

const refused = (details: Record<string, unknown>) =>
  new ApiError(422, { code: 'code_not_accepted', message: 'The code was not accepted.', details }, null)

describe('a code that was not taken', () => {
  it.each([
    [{ reason: 'wrong', tries_left: 4 }, 'That code is not right. 4 tries left.'],
    [{ reason: 'wrong', tries_left: 1 }, 'That code is not right. 1 try left.'],
    [{ reason: 'wrong', tries_left: 0 }, 'This code cannot be used any more. Ask for a new one.'],
    [{ reason: 'used_up', tries_left: 0 }, 'This code cannot be used any more. Ask for a new one.'],
    [{ reason: 'expired' }, 'This code is too old. Ask for a new one.'],
    [{ reason: 'changed' }, 'This was changed after the code was sent. Ask for a new code.'],
  ])('%j says what to do', (details, words) => expect(codeProblem(refused(details))).toBe(words))

  it('is not blamed when the server did not answer', () => {
    expect(codeProblem(new Unanswered('x'))).toContain('connection')
  })
})
