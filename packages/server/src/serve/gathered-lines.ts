// Lines of the log that are written in one turn of the event loop go out together: a write costs as much as all else that is done for a line.
import type { DestinationStream } from 'pino'

type Destination = DestinationStream & { flushSync: () => void }

export function gatherLines(destination: Destination): Destination {
  let lines = ''
  const pass = () => {
    const text = lines
    lines = ''
    if (text !== '') destination.write(text)
  }
  const flushSync = () => {
    pass()
    destination.flushSync()
  }
  // Whoever ends the process does not wait for a turn.
  process.on('exit', flushSync)
  return {
    write: (line) => {
      if (lines === '') setImmediate(pass)
      lines += line
    },
    flushSync,
  }
}
