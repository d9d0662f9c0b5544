// The real stdout. A reader who goes away ends a command quietly, unless it waits to hear that its words were taken.
import type { SureWriter } from './surroundings.ts'

export function sureStdout(stream: NodeJS.WriteStream): SureWriter {
  let isAwaited = false
  let lost: Error | null = null
  let last: Promise<void> = Promise.resolve()
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (isAwaited) return
    if (error.code !== 'EPIPE') throw error
    // `kestrel-pay events list | head -1` is no error.
    process.exit(0)
  })
  const send = (text: string) =>
    new Promise<void>((resolve, reject) => {
      stream.write(text, (error) => (error == null ? resolve() : reject(error)))
    })
  return {
    isTerminal: stream.isTTY,
    write: (text) => {
      last = send(text).catch((error: Error) => void (lost ??= error))
    },
    written: async () => {
      isAwaited = true
      await last
      if (lost !== null) throw lost
    },
  }
}
