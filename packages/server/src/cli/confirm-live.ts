// Somebody who sits at a terminal types the amount before live money moves; a program is not asked.
import { createInterface } from 'node:readline/promises'
import type { Environment } from '@kestrel/contract'

import { AppError } from '../core/errors.ts'

export interface Terminal {
  readonly isThere: boolean
  readonly ask: (question: string) => Promise<string>
}

const ownTerminal: Terminal = {
  get isThere() {
    return process.stdin.isTTY && process.stderr.isTTY
  },
  ask: async (question) => {
    // Not to stdout, which belongs to the result.
    const line = createInterface({ input: process.stdin, output: process.stderr })
    try {
      return await line.question(question)
    } finally {
      line.close()
    }
  },
}

export async function confirmLive(
  movement: {
    readonly environment: Environment
    readonly amount: string
    readonly what: string
    readonly yes?: boolean
  },
  terminal: Terminal = ownTerminal,
): Promise<void> {
  const { environment, amount, what, yes = false } = movement
  if (environment !== 'live' || yes || !terminal.isThere) return
  const typed = await terminal.ask(`This changes live books: ${what}. Type the amount (${amount}) to go on: `)
  if (typed.trim() !== amount) throw new AppError('invalid_request', 'Nothing moved: the amount was not typed.')
}
