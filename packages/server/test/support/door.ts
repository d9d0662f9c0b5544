// A proxy in front of the test database: it can refuse connections, or let open ones go silent.
import { once } from 'node:events'
import { type Socket, connect, createServer } from 'node:net'

import type { TestDatabase } from './database.ts'

export interface Door {
  /** The database behind it, by way of the door. */
  readonly database: TestDatabase
  /** Cuts everybody off and lets nobody in. */
  shut(): Promise<void>
  reopen(): Promise<unknown>
  /** Open connections go silent: they are not cut, and nothing arrives. New connections work. */
  fallSilent(): void
  /** When a client says this for the nth time from now, its connection goes silent: what it said arrives, the answer does not. */
  loseAnswerTo(words: string, nth: number): void
  /** How many connections have gone silent. */
  silent(): number
  /** Cuts everybody off and leaves; the database stays. */
  remove(): Promise<void>
}

interface Passage {
  readonly sockets: readonly Socket[]
  isSilent: boolean
}

export async function doorTo(behind: TestDatabase): Promise<Door> {
  const target = new URL(behind.url)
  const address = { port: Number.parseInt(target.port, 10), host: target.hostname }
  const passages = new Set<Passage>()
  let last: { words: string; nth: number } | null = null
  let silent = 0
  const silence = (passage: Passage) => {
    if (passage.isSilent) return
    passage.isSilent = true
    silent += 1
  }
  const server = createServer((client) => {
    const onward = connect(address)
    const passage: Passage = { sockets: [client, onward], isSilent: false }
    passages.add(passage)
    client.on('data', (bytes) => {
      if (passage.isSilent) return
      onward.write(bytes)
      if (last === null || !bytes.includes(last.words) || --last.nth > 0) return
      last = null
      silence(passage)
    })
    onward.on('data', (bytes) => void (passage.isSilent || client.write(bytes)))
    for (const [one, other] of [
      [client, onward],
      [onward, client],
    ] as const) {
      // A silent passage is not cut from the one side when the other gives up.
      one.on('error', () => undefined)
      one.on('close', () => {
        if (!passage.isSilent) other.destroy()
      })
    }
  })
  const open = async (port = 0) => {
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return (server.address() as { port: number }).port
  }
  const shut = () => {
    for (const { sockets } of passages) for (const socket of sockets) socket.destroy()
    passages.clear()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  const port = await open()
  target.port = String(port)
  return {
    database: { ...behind, url: target.href },
    shut,
    reopen: () => open(port),
    fallSilent: () => passages.forEach(silence),
    loseAnswerTo: (words, nth) => {
      last = { words, nth }
    },
    silent: () => silent,
    remove: shut,
  }
}
