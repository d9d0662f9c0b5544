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
  /**
   * The first client that says these words, from now on and in this order, finds its connection silent after the last: what it
   * said arrives, the answer does not.
   */
  loseAnswerTo(...words: readonly string[]): void
  /** How many connections have gone silent. */
  silent(): number
  /** Cuts everybody off and leaves; the database stays. */
  remove(): Promise<void>
}

interface Passage {
  readonly sockets: readonly Socket[]
  isSilent: boolean
  /** Which of the words its client has said. */
  said: { readonly words: readonly string[]; count: number } | null
}

/** Whether the client has now said all of the words, some of them perhaps earlier. */
function saysAll(passage: Passage, words: readonly string[], bytes: Buffer): boolean {
  if (passage.said?.words !== words) passage.said = { words, count: 0 }
  let from = 0
  for (; passage.said.count < words.length; passage.said.count++) {
    const at = bytes.indexOf(words[passage.said.count]!, from)
    if (at === -1) return false
    from = at
  }
  return true
}

export async function doorTo(behind: TestDatabase): Promise<Door> {
  const target = new URL(behind.url)
  const address = { port: Number.parseInt(target.port, 10), host: target.hostname }
  const passages = new Set<Passage>()
  let last: readonly string[] | null = null
  let silent = 0
  const silence = (passage: Passage) => {
    if (passage.isSilent) return
    passage.isSilent = true
    silent += 1
  }
  const server = createServer((client) => {
    const onward = connect(address)
    const passage: Passage = { sockets: [client, onward], isSilent: false, said: null }
    passages.add(passage)
    client.on('data', (bytes) => {
      if (passage.isSilent) return
      onward.write(bytes)
      if (last === null || !saysAll(passage, last, bytes)) return
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
    loseAnswerTo: (...words) => {
      last = words
    },
    silent: () => silent,
    remove: shut,
  }
}
