// Asking a person at the terminal, and reading what is piped in.
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { Writable } from 'node:stream'

import { misuse } from './failure.ts'

/** The question goes to stderr, so that stdout has nothing but the answer of the command. */
export async function ask(
  question: string,
  { isHidden, signal }: { readonly isHidden: boolean; readonly signal: AbortSignal },
): Promise<string> {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  process.stderr.write(question)
  const lines = createInterface({ input: process.stdin, output: isHidden ? silence : process.stderr, terminal: true })
  // In this mode the terminal hands Ctrl-C to us and not to the process.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    const closed = new Promise<never>((_resolve, reject) => {
      lines.once('close', () => reject(signal.reason ?? misuse('Nothing was typed, and nothing was done.')))
    })
    return (await Promise.race([lines.question('', { signal }), closed])).trim()
  } finally {
    lines.close()
    if (isHidden) process.stderr.write('\n')
  }
}

export function readInput(): Promise<string> {
  return text(process.stdin)
}
