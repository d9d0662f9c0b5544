// Sends mail as soon as it is queued, without making any request wait for it.
import type { Post } from '../../mail/mail.ts'
import { type PostDeps, deliverMails } from './deliver-mails.ts'

export function createPost(deps: PostDeps, onError: (error: unknown) => void): Post {
  let running: Promise<void> = Promise.resolve()
  let isAwake = false

  async function round(): Promise<void> {
    try {
      while ((await deliverMails(deps)) > 0);
    } catch (error) {
      // The worker tries again what could not be sent.
      onError(error)
    }
  }

  return {
    wake() {
      if (deps.mailer === null || isAwake) return
      isAwake = true
      running = running.then(() => {
        // Mail queued from here on needs another round.
        isAwake = false
        return round()
      })
    },
    settled: () => running,
  }
}
