// A command in this process, with a terminal, an environment and a person of the test's own.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { run } from '../../src/run.ts'

export interface Calling {
  readonly env?: Readonly<Record<string, string>>
  /** Whether stdout is one. */
  readonly isTerminal?: boolean
  /** What the person types, one answer per question; without a list nobody is there. */
  readonly typed?: readonly string[]
  /** What is piped in. */
  readonly input?: string
  readonly signal?: AbortSignal
  readonly fetch?: typeof fetch
  /** Nobody takes what is written to stdout. */
  readonly isUnread?: boolean
  /** Hears stdout as it comes. */
  readonly onOutput?: (text: string) => void
  /** The same of stderr. */
  readonly onNote?: (text: string) => void
}

export interface Called {
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
}

export function aHome(): string {
  return mkdtempSync(join(tmpdir(), 'kestrel-pay-'))
}

export async function call(words: readonly string[], how: Calling & { home: string }): Promise<Called> {
  const said = { stdout: '', stderr: '' }
  const answers = [...(how.typed ?? [])]
  const exit = await run(words, {
    env: how.env ?? {},
    home: how.home,
    stdout: {
      isTerminal: how.isTerminal === true,
      write: (text) => {
        if (how.isUnread !== true) said.stdout += text
        how.onOutput?.(text)
      },
      written: async () => {
        if (how.isUnread === true) throw new Error('write EPIPE')
      },
    },
    stderr: {
      isTerminal: how.isTerminal === true,
      write: (text) => {
        said.stderr += text
        how.onNote?.(text)
      },
    },
    isInteractive: how.typed !== undefined,
    ask: (question) => {
      said.stderr += `${question}\n`
      const answer = answers.shift()
      if (answer === undefined) throw new Error(`Nobody answers ${question}`)
      return Promise.resolve(answer)
    },
    readInput: () => Promise.resolve(how.input ?? ''),
    fetch: how.fetch ?? fetch,
    signal: how.signal ?? new AbortController().signal,
  })
  return { exit, ...said }
}
