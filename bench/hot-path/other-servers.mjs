// Servers to compare with, each a process of its own.
import { fork } from 'node:child_process'
import { join } from 'node:path'

import { endsWithUs } from './ending.mjs'
import { applyLoad } from './load.mjs'

export async function openOther(bench, { port, isPlain, keys }) {
  const child = endsWithUs(fork(join(import.meta.dirname, 'stubbed-process.mjs')))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const { url } = await new Promise((resolve, reject) => {
    child.once('message', resolve)
    void ended.then((code) => reject(new Error(`A server to compare with ended with ${code}.`)))
    child.send({
      isPlain,
      port,
      databaseUrl: bench.postgres.urlOf('simulated'),
      sealKey: bench.secrets.sealKey.toString('hex'),
      fingerprintKey: bench.secrets.fingerprintKey.toString('hex'),
    })
  })
  const measured = ({ count, seconds, p50, p99 }) => ({ rate: count / seconds, count, p50, p99 })
  let series = 0
  return {
    pids: { node: [child.pid] },
    post: async ({ connections, seconds }) =>
      measured(await applyLoad({ url, kind: 'create', connections, seconds, keys, from: `other-${series++}` })),
    get: async ({ path, connections, seconds }) =>
      measured(await applyLoad({ url, kind: 'get', path, connections, seconds, keys })),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
    prove: async () => 0,
  }
}
