import type { Command } from 'commander'

import { ConfigError } from '../config/config.ts'
import { momentInWords } from '../core/words.ts'
import { type KeptMail, readMailbox } from '../domain/mail/read-mailbox.ts'
import { mailboxUrl } from '../serve/dashboard-options.ts'
import { findNoted } from '../serve/noted-address.ts'
import type { CommandContext } from './command-context.ts'
import { existingSecrets, withDeps } from './context.ts'
import { print } from './print.ts'

/** How many a person is shown; a program gets all of them. */
const SHOWN = 5

export function doShowMailbox(mailbox: Command, context: CommandContext): void {
  mailbox.action(async (options: { json?: boolean }) => {
    refuseWithoutMailbox(context)
    const mails = await withDeps(context, readMailbox)
    const address = findNoted(context.config.dataDir, 'api')
    const { mailboxToken } = await existingSecrets(context)
    print({ mails: mails.map(present) }, options, () => [
      ...(address === null ? [] : [`Mailbox  ${mailboxUrl(address, mailboxToken)}`, '']),
      ...(mails.length === 0 ? ['There is no mail yet.'] : mails.slice(0, SHOWN).flatMap(inWords)),
      ...(mails.length > SHOWN ? [`${mails.length - SHOWN} older ones; --json lists them all.`] : []),
    ])
  })
}

function refuseWithoutMailbox({ config }: CommandContext): void {
  if (config.databaseUrl === null) return
  throw new ConfigError([
    'There is no mailbox with DATABASE_URL: mail goes to SMTP_URL. `npm start` without it has one.',
  ])
}

function present({ to, subject, text, at, attachments = [] }: KeptMail) {
  return { to, subject, text, at: at.toISOString(), attachments: attachments.map(({ fileName }) => fileName) }
}

function inWords({ to, subject, text, at }: KeptMail): string[] {
  return [
    subject,
    `  to ${to}, ${momentInWords(at)}`,
    ...text
      .trim()
      .split('\n')
      .map((line) => `  ${line}`),
    '',
  ]
}
