// The program: the real terminal, the real environment, and the exit code.
import { homedir } from 'node:os'

import { run } from './run.ts'
import { sureStdout } from './sure-stdout.ts'
import type { Surroundings } from './surroundings.ts'

const stop = new AbortController()
let hasBeenAsked = false
process.on('SIGINT', () => {
  // The second time one means it.
  if (hasBeenAsked) process.exit(130)
  hasBeenAsked = true
  stop.abort()
})

const around: Surroundings = {
  env: process.env,
  home: homedir(),
  stdout: sureStdout(process.stdout),
  stderr: { isTerminal: process.stderr.isTTY, write: (text) => void process.stderr.write(text) },
  isInteractive: process.stdin.isTTY && process.stderr.isTTY,
  ask: async (question, { isHidden }) => (await import('./ask.ts')).ask(question, { isHidden, signal: stop.signal }),
  readInput: async () => (await import('./ask.ts')).readInput(),
  fetch: (...call) => fetch(...call),
  signal: stop.signal,
}

async function main(): Promise<void> {
  // Until it is known: Node ends with this when there is nothing left to wait for.
  process.exitCode = 1
  try {
    process.exitCode = await run(process.argv.slice(2), around)
  } catch (error) {
    process.stderr.write(`error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    process.exitCode = 1
  }
}

void main()
