// Sends mail as soon as there is some, without keeping anybody waiting for it.
import type { Post } from '../../mail/mail.ts'
import { type PostDeps, deliverMails } from './deliver-mails.ts'

export function createPost(deps: PostDeps, onError: (error: unknown) => void): Post {
  let running: Promise<void> = Promise.resolve()
  let isAwake = false

  async function round(): Promise<void> {
    try {
      while ((await deliverMails(deps)) > 0);
    } catch (error) {
      // What could not be sent is tried again by the worker.
      onError(error)
    }
  }

  return {
    wake() {
      if (deps.mailer === null || isAwake) return
      isAwake = true
      running = running.then(() => {
        // From here on newer mail needs another round.
        isAwake = false
        return round()
      })
    },
    settled: () => running,
  }
}
