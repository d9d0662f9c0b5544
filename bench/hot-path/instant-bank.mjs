// Starts the bank that takes no time of its own, as a process of its own.
import { fork } from 'node:child_process'
import { join } from 'node:path'

import { endsWithUs } from './ending.mjs'

/** `behind`: the address of the bundled bank, without its path. */
export async function startInstantBank({ port, behind, delayMs }) {
  const child = endsWithUs(fork(join(import.meta.dirname, 'instant-bank-process.mjs')))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const next = () =>
    new Promise((resolve, reject) => {
      child.once('message', resolve)
      void ended.then((code) => reject(new Error(`The instant bank ended with ${code}.`)))
    })
  child.send({ port, behind, delayMs })
  const { url } = await next()
  return {
    pid: child.pid,
    url,
    /** How many transfers it made, and of how many payouts. */
    count: () => {
      child.send('count')
      return next()
    },
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
