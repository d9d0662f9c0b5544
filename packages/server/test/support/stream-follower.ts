// A program that listens to the events of GET /v1/stream and comes back after every break, with the last event that it has.
import { listen } from './listener.ts'

export interface Follower {
  /** The ids of the events that it has got, in their order. */
  readonly ids: string[]
  /** How often it had to come back. */
  breaks(): number
  leave(): void
}

const AGAIN_MS = 20

/** `urlOf` is asked at every try: a service that was started again may be elsewhere. */
export function followStream(urlOf: () => string, headers: Record<string, string>, from: string): Follower {
  const ids: string[] = []
  let breaks = -1
  const going = new AbortController()
  let leave = () => {}
  async function connect(): Promise<void> {
    const last = ids.at(-1) ?? from
    const listener = await listen(urlOf(), { ...headers, 'last-event-id': last })
    leave = () => listener.leave()
    if (listener.status !== 200) return listener.leave()
    breaks += 1
    let taken = 0
    const take = () => {
      // What was cut off in the middle does not count: a block ends with an empty line.
      const whole = listener.text().slice(0, listener.text().lastIndexOf('\n\n') + 2)
      const found = [...whole.matchAll(/^id: (.+)$/gm)].map(([, id]) => id!)
      ids.push(...found.slice(taken))
      taken = found.length
    }
    const timer = setInterval(take, AGAIN_MS)
    await listener.ended
    clearInterval(timer)
    take()
  }
  async function follow(): Promise<void> {
    while (!going.signal.aborted) {
      await connect().catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }
  void follow()
  return {
    ids,
    breaks: () => breaks,
    leave: () => {
      going.abort()
      leave()
    },
  }
}
