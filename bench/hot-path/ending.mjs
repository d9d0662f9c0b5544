// A bench may end before it is over: by Ctrl-C, by a signal, or because nobody reads any more what it prints. What it has started
// ends with it all the same.
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }
const UNREAD = 141

export class EndedEarly extends Error {
  constructor(message, exitCode) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Rejects when the bench is to end. A second signal ends it at once. */
export function untilEndedEarly() {
  const ended = new Promise((_, reject) => {
    for (const [signal, code] of Object.entries(SIGNALS)) {
      process.once(signal, () => reject(new EndedEarly(`The bench was ended by ${signal}.`, code)))
    }
    for (const stream of [process.stdout, process.stderr]) {
      stream.on('error', () => reject(new EndedEarly('Nobody reads what the bench prints.', UNREAD)))
    }
  })
  // It may come while nobody waits for it yet.
  ended.catch(() => {})
  return ended
}

const children = new Set()
process.on('exit', () => {
  for (const child of children) child.kill('SIGTERM')
})

/** For a process that may still be starting when the bench ends. Returns it. */
export function endsWithUs(child) {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}
