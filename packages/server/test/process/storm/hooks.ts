// The receivers of the storm, each at an endpoint of its own: one that is good, one of many moods, one that never answers, and
// one that is gone after a while.
import type { ServerResponse } from 'node:http'

import type { Dice } from '../../support/dice.ts'
import { type Received, type Receiver, startReceiver, withStatus } from '../../support/receiver.ts'
import { moment } from '../program.ts'
import { type SecretBook, createSecretBook } from './secret-book.ts'
import { SIZE } from './storm-size.ts'

export interface Hook {
  readonly id: string
  readonly receiver: Receiver
  readonly secrets: SecretBook
  /** What it answered with 200, in that order. */
  readonly accepted: Received[]
  /** What is wrong with messages that came. */
  readonly problems: string[]
}

type Answering = (message: Received, response: ServerResponse, hook: Hook) => void

type Call = <T>(method: string, path: string, body?: object) => Promise<T>

export async function openHook(call: Call, answer: Answering): Promise<Hook> {
  const receiver = await startReceiver()
  const made = await call<{ id: string; secret: string }>('POST', '/v1/webhook-endpoints', { url: receiver.url })
  const secrets = createSecretBook(made.secret)
  const keys = await call<{ data: { public_key: string }[] }>('GET', `/.well-known/kestrel-webhook-keys/${made.id}`)
  secrets.knowPublicKeys(keys.data)
  const hook: Hook = { id: made.id, receiver, secrets, accepted: [], problems: [] }
  receiver.answer((message, response) => {
    const problem = secrets.problemWith(message)
    if (problem !== null) hook.problems.push(problem)
    answer(message, response, hook)
  })
  return hook
}

export const accepts: Answering = (message, response, { accepted }) => {
  accepted.push(message)
  withStatus(200)(message, response)
}

export interface Slow {
  readonly answer: Answering
  /** Whether it owes somebody an answer. */
  readonly isAsked: () => boolean
}

/** Accepts after a moment, so that a worker can be killed while some of them are under way. */
export function createSlow(dice: Dice): Slow {
  let underWay = 0
  return {
    isAsked: () => underWay > 0,
    answer: (message, response, { accepted }) => {
      accepted.push(message)
      underWay += 1
      void moment(50 + dice.draw(200)).then(() => {
        underWay -= 1
        return withStatus(200)(message, response)
      })
    },
  }
}

/** Whoever sends to it waits in vain. */
export const neverAnswers: Answering = () => undefined

/** Accepts so many, and is then not there any more. */
export const goneAfter =
  (count: number): Answering =>
  (message, response, hook) => {
    if (hook.accepted.length < count) accepts(message, response, hook)
    else withStatus(410)(message, response)
  }

const MOODS = ['fine', 'fine', 'fails', 'busy', 'redirects', 'hangs', 'down'] as const

export interface Moody {
  readonly answer: Answering
  /** From now on it is fine. */
  mend(): void
  /** The moods in which messages found it. */
  readonly seen: Set<string>
}

/** Changes its mood every now and then. What it redirects to must never be asked. */
export function createMoody(dice: Dice, elsewhere: string): Moody {
  // The first message is refused, whatever is drawn and however late it comes.
  let mood: (typeof MOODS)[number] = 'fails'
  const mended = new AbortController()
  const seen = new Set<string>()
  const change = async () => {
    while (!mended.signal.aborted) {
      mood = dice.pick(MOODS)
      await moment(200 + dice.draw(600))
    }
    mood = 'fine'
  }
  const ways: Record<(typeof MOODS)[number], Answering> = {
    fine: accepts,
    fails: (message, response) => withStatus(500)(message, response),
    busy: (message, response) => withStatus(429, { 'retry-after': '1' })(message, response),
    redirects: (message, response) => withStatus(307, { location: elsewhere })(message, response),
    hangs: (_message, response) => void moment(SIZE.hangMs).then(() => response.destroy()),
    down: (_message, response) => void response.socket?.destroy(),
  }
  return {
    answer: (message, response, hook) => {
      const now = mood
      if (seen.size === 0) void change()
      seen.add(now)
      ways[now](message, response, hook)
    },
    mend: () => {
      mended.abort()
      if (seen.size > 0) mood = 'fine'
    },
    seen,
  }
}
