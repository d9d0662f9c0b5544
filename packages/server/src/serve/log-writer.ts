// The log's way out, to a file or to stdout. Nobody waits for it, and a log that cannot be written is no reason to stop paying
// people, to grow without end, or to stay when the program should end: a full disk costs lines, and nothing else. (What pino
// brings ends the process by the first failure, and then waits in its last flush for as long as the disk is full.)
import { closeSync, write, writeSync } from 'node:fs'

import type { DestinationStream } from 'pino'

import { sleep } from '../core/clock.ts'

export interface LogWriter extends DestinationStream {
  /** Writes what waits before it returns. What cannot be written then is lost. */
  readonly flushSync: () => void
  /** Writes what waits, and closes the file. */
  readonly end: () => void
}

export interface LogTarget {
  /** The file to write to. It is asked again if it fails, and when a file is done with. */
  readonly open: () => number
  /** True: what comes next goes to what `open` returns then. */
  readonly isDone?: (writtenBytes: number) => boolean
}

/** So many characters wait while the log cannot be written, some twenty thousand lines; what comes after them is lost. */
const MOST_WAITING = 8 * 1024 * 1024
/** A pipe whose reader is slow takes more in a moment. */
const FULL_PIPE = new Set(['EAGAIN', 'EBUSY'])
const PAUSE_MS = 50
/** A reader that takes nothing for a second at the end is not waited for. */
const MOST_PAUSES = 20
const NOTHING = Buffer.alloc(0)

export function openLogWriter(target: LogTarget, mostWaiting = MOST_WAITING): LogWriter {
  let fd: number | null = null
  let waiting = ''
  /** What the operating system was last asked to write, as far as it has not. */
  let underWay: Buffer = NOTHING
  let isBusy = false
  let isOver = false

  const opened = () => (fd ??= target.open())
  const close = () => {
    if (fd !== null) closeSync(fd)
    fd = null
  }
  const writeNext = () => {
    if (isBusy) return
    if (underWay.length === 0) {
      underWay = Buffer.from(waiting)
      waiting = ''
    }
    if (underWay.length > 0) writeOnce()
  }
  const writeOnce = () => {
    try {
      isBusy = true
      write(opened(), underWay, (error, bytes) => {
        isBusy = false
        if (isOver) return close()
        if (error !== null) return failed(error)
        underWay = underWay.subarray(bytes)
        if (target.isDone?.(bytes) === true) close()
        writeNext()
      })
    } catch {
      // It could not be opened: the next line tries again, as after any failure.
      isBusy = false
    }
  }
  const failed = ({ code }: NodeJS.ErrnoException) => {
    if (FULL_PIPE.has(code ?? '')) void sleep(PAUSE_MS).then(writeNext)
  }
  const flushSync = () => {
    // What is under way is being written already.
    const rest = isBusy ? Buffer.from(waiting) : Buffer.concat([underWay, Buffer.from(waiting)])
    waiting = ''
    if (!isBusy) underWay = NOTHING
    if (rest.length > 0) writeAll(opened, rest)
  }
  process.on('exit', flushSync)
  return {
    write: (line) => {
      if (waiting.length + underWay.length < mostWaiting) waiting += line
      writeNext()
    },
    flushSync,
    end: () => {
      process.off('exit', flushSync)
      flushSync()
      isOver = true
      if (!isBusy) close()
    },
  }
}

/** For as long as something is taken of it. */
function writeAll(opened: () => number, bytes: Buffer): void {
  let rest = bytes
  for (let pauses = 0; rest.length > 0 && pauses < MOST_PAUSES;) {
    try {
      rest = rest.subarray(writeSync(opened(), rest))
      pauses = 0
    } catch (error) {
      if (!FULL_PIPE.has((error as NodeJS.ErrnoException).code ?? '')) return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
      pauses++
    }
  }
}

const STDOUT = 1

/** Lines to whoever started the process. */
export function openStdout(): LogWriter {
  return openLogWriter({ open: () => STDOUT })
}
