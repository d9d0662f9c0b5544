// Mail over SMTP.
import type { Transporter } from 'nodemailer'

import { type Mailer, MailPutOff, MailRefused } from './mail.ts'

export interface SmtpOptions {
  /** Such as smtps://user:password@mail.example.com. */
  readonly url: string
  readonly from: string
}

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

export function createSmtpMailer({ url, from }: SmtpOptions): Mailer {
  let opened: Promise<Transporter> | null = null
  // Loaded for the first mail: a start, and most commands, send none.
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer')
    // Whatever a mail says, sending it reads no file and fetches no address.
    return createTransport({ url, ...TIMEOUTS, disableFileAccess: true, disableUrlAccess: true })
  }
  return {
    send: async ({ to, subject, text, html, attachments = [] }, writtenAt) => {
      // An object, so that an address in a header is never taken for a list of several.
      const message = {
        from,
        to: { name: '', address: to },
        date: writtenAt,
        subject,
        text,
        html,
        attachments: attachments.map(({ fileName, contentType, base64 }) => ({
          filename: fileName,
          contentType,
          content: base64,
          encoding: 'base64',
        })),
      }
      opened ??= open()
      const transport = await opened
      const problem = await transport.sendMail(message).then(
        () => null,
        (error: unknown) => error,
      )
      if (problem === null) return
      if (isFinal(problem)) throw new MailRefused('The mail server refuses this mail for good.')
      if (isPutOff(problem)) throw new MailPutOff('The mail server takes mail for this recipient later.')
      throw new Error(`The mail server could not take the mail: ${reasonOf(problem)}`)
    },
    close: () => void opened?.then((transport) => transport.close()),
  }
}

/** 5xx about the recipient or the message. Wrong credentials and a wrong sender are ours to repair, and the mail can wait. */
function isFinal(error: unknown): boolean {
  const { responseCode = 0, code, command } = error as { responseCode?: number; code?: string; command?: string }
  const isAboutMail = code === 'EMESSAGE' || (code === 'EENVELOPE' && command !== 'MAIL FROM')
  return responseCode >= 500 && isAboutMail
}

/** 4xx about the recipient alone: as servers say who do not know the sender yet, or cannot find the domain. */
function isPutOff(error: unknown): boolean {
  const { responseCode = 0, command } = error as { responseCode?: number; command?: string }
  return command === 'RCPT TO' && responseCode >= 400 && responseCode < 500
}

/** Never the server's own text: it may quote an address. */
function reasonOf(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return [code ?? 'unknown', responseCode].filter((part) => part !== undefined).join(' ')
}
