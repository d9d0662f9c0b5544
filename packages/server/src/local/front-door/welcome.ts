import { noColour, type Paint } from './colour.ts'
import { exampleCommand, newKeyCommand } from './example.ts'
import { padEnd } from './text.ts'

export interface Welcome {
  readonly version: string
  readonly apiUrl: string
  readonly docsUrl: string
  readonly dashboardUrl?: string
  readonly mailboxUrl?: string
  /** Who may sign in to the demo business's dashboard. */
  readonly signInEmail?: string
  /** Present only when the key was just made: it is stored as a hash and cannot be shown again. */
  readonly sandboxKey?: string
  readonly partnerName?: string
  /** The partner's name on the command line; thistle-market unless given. */
  readonly partnerSlug?: string
  readonly logFile: string
  /** In pounds, such as 25.00. */
  readonly exampleAmount: string
  readonly isFirstStart: boolean
}

const INDENT = '  '
const NAME_WIDTH = 11

/** What the terminal shows once everything runs, without a line break at the end. */
export function renderWelcome(welcome: Welcome, paint: Paint = noColour): string {
  const { sandboxKey } = welcome
  const key = sandboxKey === undefined ? anotherKey(welcome) : newKey({ ...welcome, sandboxKey }, paint)
  const lines = [header(welcome, paint), '', ...addresses(welcome, paint), '', ...key]
  const hint = paint.dim('Ctrl-C stops it. The data stays for the next start.')
  return [...lines, '', hint].map((line) => (line === '' ? '' : INDENT + line)).join('\n')
}

function header({ version, isFirstStart }: Welcome, paint: Paint): string {
  const title = paint.bold(`Kestrel Payouts ${version}`)
  return isFirstStart ? `${title} is ready for its first payout` : `${title} is running`
}

function addresses(welcome: Welcome, paint: Paint): string[] {
  const rows: [string, string | undefined][] = [
    ['API', welcome.apiUrl],
    ['Docs', welcome.docsUrl],
    ['Dashboard', welcome.dashboardUrl],
    ['Sign in', signIn(welcome)],
    ['Mailbox', welcome.mailboxUrl],
    ['Log', welcome.logFile],
  ]
  return rows.flatMap(([name, value]) => {
    return value === undefined ? [] : [`${paint.dim(padEnd(name, NAME_WIDTH))}${value}`]
  })
}

/** There is no password: who knows that looks for the code, and who does not looks for a password. */
function signIn({ dashboardUrl, signInEmail, mailboxUrl }: Welcome): string | undefined {
  if (dashboardUrl === undefined || signInEmail === undefined) return undefined
  return `as ${signInEmail}; the code comes to ${mailboxUrl === undefined ? 'its mailbox' : 'the mailbox below'}`
}

function newKey(welcome: Welcome & { readonly sandboxKey: string }, paint: Paint): string[] {
  const { apiUrl, exampleAmount, partnerName, sandboxKey } = welcome
  const whose = partnerName === undefined ? '' : ` for ${partnerName}`
  return [
    `Sandbox key${whose} ${paint.yellow('(shown once)')}`,
    paint.bold(sandboxKey),
    '',
    `Paste this to send ${exampleAmount} GBP to somebody made up:`,
    '',
    ...exampleCommand(apiUrl, sandboxKey, exampleAmount),
  ]
}

function anotherKey({ partnerSlug = 'thistle-market' }: Welcome): string[] {
  return ['Need another sandbox key?', '', ...newKeyCommand(partnerSlug)]
}
