// The operator's commands by name. What a command does is loaded when it is called: help, and a start, wait for none.
import type { Command } from 'commander'

import type { CommandContext } from './command-context.ts'

/** Gives a command its subcommands, or what it does. */
type Fill = (command: Command, context: CommandContext) => void

interface NamedCommand {
  readonly name: string
  readonly description: string
  /** False for a group, whose subcommands have options of their own. */
  readonly isSingle: boolean
  readonly load: () => Promise<Fill>
}

const group = (name: string, description: string, load: () => Promise<Fill>): NamedCommand => {
  return { name, description, isSingle: false, load }
}
const single = (name: string, description: string, load: () => Promise<Fill>): NamedCommand => {
  return { name, description, isSingle: true, load }
}

export const COMMANDS: readonly NamedCommand[] = [
  group('partner', 'the businesses that use the service', async () => {
    return (await import('./partner-commands.ts')).addPartnerCommands
  }),
  group('key', 'API keys', async () => (await import('./key-commands.ts')).addKeyCommands),
  group('wallet', 'partners’ wallets', async () => (await import('./wallet-commands.ts')).addWalletCommands),
  group('payout', 'partners’ payouts', async () => (await import('./payout-commands.ts')).addPayoutCommands),
  group('invoice', 'monthly invoices', async () => (await import('./invoice-commands.ts')).addInvoiceCommands),
  group('member', 'the people of a business’s team', async () => {
    return (await import('./list-commands.ts')).addMemberCommands
  }),
  group('plan', 'what a business pays, from a day on', async () => {
    return (await import('./plan-commands.ts')).addPlanCommands
  }),
  group('secrets', 'the keys that seal recipients and recognise requests', async () => {
    return (await import('./secrets-commands.ts')).addSecretsCommands
  }),
  single(
    'reconcile',
    'prove the books: every balance, every payout, every month; exits 1 when something is off',
    async () => (await import('./soundness-commands.ts')).doReconcile,
  ),
  group('audit', 'proofs of what is kept beside the books', async () => {
    return (await import('./audit-commands.ts')).addAuditCommands
  }),
  single(
    'doctor',
    'look, without changing anything, for what could keep the service from running, with the cure',
    async () => (await import('./soundness-commands.ts')).doExamine,
  ),
  group('alarms', 'what somebody has to look at (docs/operations.md, Alarms)', async () => {
    return (await import('./alarm-commands.ts')).addAlarmCommands
  }),
  single(
    'mailbox',
    'the mails that there is no mail server for, the newest first, and where to read them',
    async () => {
      return (await import('./mailbox-command.ts')).doShowMailbox
    },
  ),
  single('migrate', 'bring the database to this version; every start does it too', async () => {
    return (await import('./migrate-command.ts')).doMigrate
  }),
]
