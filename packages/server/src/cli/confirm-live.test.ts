import { describe, expect, it } from 'vitest'

import { type Terminal, confirmLive } from './confirm-live.ts'

const LIVE = { environment: 'live', amount: '12.50', what: 'a debit of 12.50 USDC from acme' } as const

function aTerminal(typed: string, isThere = true): Terminal & { asked: string[] } {
  const asked: string[] = []
  return {
    isThere,
    asked,
    ask: (question) => {
      asked.push(question)
      return Promise.resolve(typed)
    },
  }
}

describe('live money', () => {
  it('moves when the amount was typed', async () => {
    const terminal = aTerminal(' 12.50 ')
    await expect(confirmLive(LIVE, terminal)).resolves.toBeUndefined()
    expect(terminal.asked).toHaveLength(1)
    expect(terminal.asked[0]).toContain('a debit of 12.50 USDC from acme')
  })

  it.each(['', 'yes', '12.5', '125.0'])('does not when %j was typed', async (typed) => {
    await expect(confirmLive(LIVE, aTerminal(typed))).rejects.toThrow('Nothing moved')
  })

  it('moves without a question for programs, with --yes, and in the sandbox', async () => {
    const [program, sure, sandbox] = [aTerminal('', false), aTerminal(''), aTerminal('')]
    await confirmLive(LIVE, program)
    await confirmLive({ ...LIVE, yes: true }, sure)
    await confirmLive({ ...LIVE, environment: 'sandbox' }, sandbox)
    expect([program, sure, sandbox].flatMap(({ asked }) => asked)).toEqual([])
  })
})
