// The dashboard's options from the operator: a mail server, who may sign up, which proxies are trusted.
import type { ApiOptions } from '../compose.ts'
import { type Config, THIS_MACHINE, isThisMachine } from '../config/config.ts'
import type { Secrets } from '../config/secrets.ts'
import type { SmtpOptions } from '../mail/smtp-mailer.ts'

export function mailServer(config: Config, secrets: Pick<Secrets, 'smtpUrl'>): SmtpOptions | null {
  const { smtpUrl: url } = secrets
  return url === null || config.mailFrom === null ? null : { url, from: config.mailFrom }
}

/** The address that a person opens; only the token tells them from anybody else on this machine. */
export function mailboxUrl(url: string, token: string): string {
  return `${url}/mailbox?token=${token}`
}

/** Whether this machine alone uses the service. */
function isForThisMachine(config: Config, publicUrl: string): boolean {
  return config.databaseUrl === null && THIS_MACHINE.test(publicUrl)
}

/** Receivers on this machine are for those who sit at it: elsewhere a partner could reach what listens beside the service. */
export function mayReachThisMachine(config: Config): boolean {
  const { databaseUrl, publicUrl, host, sandboxReceivers } = config
  return isThisMachine(publicUrl, host) && (databaseUrl === null || sandboxReceivers === 'this-machine')
}

/**
 * The mailbox shows codes to anybody who sees it, so it exists only where this machine alone uses the service, and
 * opens with a token. Null where mail is sent.
 */
export function apiOptions(config: Config, publicUrl: string, mailboxToken: string | null): ApiOptions {
  const { rateLimitPerSecond, networkLimitPerSecond, isSignUpOpen, trustProxy } = config
  const hasMailbox = isForThisMachine(config, publicUrl)
  return {
    publicUrl,
    rateLimitPerSecond,
    networkLimitPerSecond,
    dashboard: { isSignUpOpen, mailboxToken: hasMailbox ? mailboxToken : null, contactEmail: config.operator.email },
    trustProxy,
  }
}
