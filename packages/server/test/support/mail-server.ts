// A real mail server that keeps what it is sent, and refuses as it is told.
import type { AddressInfo } from 'node:net'

import { SMTPServer } from 'smtp-server'

export interface TestMailServer {
  readonly url: string
  readonly received: ReceivedMail[]
  /** What is said to the next recipients, or to one of them alone; null: welcome. */
  refuseWith: Refusal | null
  /** What is said to the sender: ours, whatever the mail. */
  refuseSenderWith: { readonly responseCode: number } | null
  /** It takes mails and does not say that it has them. */
  isSilent: boolean
  close(): Promise<void>
}

interface Refusal {
  readonly responseCode: number
  readonly to?: string
}

export interface ReceivedMail {
  readonly to: readonly string[]
  readonly raw: string
}

export async function startMailServer(port = 0): Promise<TestMailServer> {
  const received: ReceivedMail[] = []
  const state: Pick<TestMailServer, 'refuseWith' | 'refuseSenderWith' | 'isSilent'> = {
    refuseWith: null,
    refuseSenderWith: null,
    isSilent: false,
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onMailFrom: (_address, _session, done) =>
      state.refuseSenderWith === null ? done() : done(Object.assign(new Error('no'), state.refuseSenderWith)),
    onRcptTo: ({ address }, _session, done) => {
      const { responseCode, to = address } = state.refuseWith ?? {}
      const isRefused = responseCode !== undefined && to === address
      return isRefused ? done(Object.assign(new Error('no'), { responseCode })) : done()
    },
    onData: (stream, session, done) => {
      let raw = ''
      stream.on('data', (chunk: Buffer) => (raw += chunk.toString()))
      stream.on('end', () => {
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw })
        if (!state.isSilent) done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  const { port: actual } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${actual}`,
    received,
    get refuseWith() {
      return state.refuseWith
    },
    set refuseWith(value) {
      state.refuseWith = value
    },
    get refuseSenderWith() {
      return state.refuseSenderWith
    },
    set refuseSenderWith(value) {
      state.refuseSenderWith = value
    },
    get isSilent() {
      return state.isSilent
    },
    set isSilent(value) {
      state.isSilent = value
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
