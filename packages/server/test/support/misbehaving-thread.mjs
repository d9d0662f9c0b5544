// A thread that does to itself what a bad document might.
import { parentPort } from 'node:worker_threads'

const hoard = []

const DEEDS = {
  answer: (said) => parentPort.postMessage(said, []),
  hang: () => {
    for (;;) hoard.length = 0
  },
  hoard: () => {
    for (;;) hoard.push(Array.from({ length: 10_000 }, () => ({})))
  },
  throwLater: () =>
    setImmediate(() => {
      throw new Error('out of ink')
    }),
  leave: () => process.exit(3),
}

parentPort.on('message', ({ deed, said }) => DEEDS[deed](said))
