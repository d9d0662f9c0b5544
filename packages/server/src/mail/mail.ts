// A mail, and the port to what sends it.

export interface MailContent {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface Attachment {
  readonly fileName: string
  readonly contentType: string
  readonly base64: string
}

export interface Mail extends MailContent {
  readonly to: string
  readonly attachments?: readonly Attachment[]
}

export interface Mailer {
  /**
   * Resolves when the mail server has taken it. The mail carries the date on which it was written: what it says was
   * true then, however long a mail server did not answer.
   */
  send(mail: Mail, writtenAt: Date): Promise<void>
  close(): void
}

/** The mail server will never take this mail: trying again is pointless. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

/** The mail server takes mail, and this recipient's later: nobody else has to wait for it. */
export class MailPutOff extends Error {
  override readonly name = 'MailPutOff'
}

/** Sends queued mail, without making anybody wait for it. */
export interface Post {
  /** There may be mail to send. Returns at once. */
  wake(): void
  /** Resolves when what was under way is done. */
  settled(): Promise<void>
}
