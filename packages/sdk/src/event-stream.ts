// The messages of a server-sent stream, as they come.

export interface StreamMessage {
  /** The id of an event; hints have none. Give the last one as `lastEventId` to go on after it. */
  readonly id: string | null
  readonly event: string
  readonly data: unknown
}

/** The service sends a comment every 20 seconds: a connection that is silent for longer is dead, and nobody says so. */
const LONGEST_SILENCE_MS = 60_000

/** Ends when the connection does, or has died. */
export async function* messagesIn(response: Response, signal: AbortSignal | undefined): AsyncGenerator<StreamMessage> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const leave = () => void reader.cancel().catch(() => undefined)
  signal?.addEventListener('abort', leave)
  if (signal?.aborted === true) leave()
  let rest = ''
  try {
    for (;;) {
      const timer = setTimeout(leave, LONGEST_SILENCE_MS)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      if (done) return signal?.throwIfAborted()
      const blocks = (rest + value).split('\n\n')
      // What was cut off in the middle does not count: a block ends with an empty line.
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const message = messageIn(block)
        if (message !== null) yield message
      }
    }
  } finally {
    signal?.removeEventListener('abort', leave)
    leave()
  }
}

function messageIn(block: string): StreamMessage | null {
  const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1] ?? null
  const data = field('data')
  return data === null
    ? null
    : { id: field('id'), event: field('event') ?? 'message', data: JSON.parse(data) as unknown }
}
