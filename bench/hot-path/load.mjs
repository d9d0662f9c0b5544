// The load: a process of its own that keeps connections open, one request under way on each, and counts the answers.
import { fork } from 'node:child_process'
import { join } from 'node:path'

import { endsWithUs } from './ending.mjs'

/**
 * `plan` says what to send: { url, connections, count or seconds, keys, kind: 'create' | 'replay' | 'get', path, from }.
 * Resolves with { count, statuses, seconds, p50, p99, startedAt } (milliseconds for p50 and p99).
 */
export async function applyLoad(plan) {
  const program = join(import.meta.dirname, 'load-process.mjs')
  const child = endsWithUs(fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }))
  try {
    return await new Promise((resolve, reject) => {
      child.once('message', resolve)
      child.once('error', reject)
      child.once('exit', (code) => reject(new Error(`The load ended early with ${code}.`)))
      child.send(plan)
    })
  } finally {
    child.disconnect?.()
  }
}
