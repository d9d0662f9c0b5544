// What an operator looks at: keys, wallets, payouts, invoices and members of a business. They change nothing, and never show
// whom a payout is for.
import type { Environment, PayoutStatus } from '@kestrel/contract'
import { PAYOUT_STATUSES } from '@kestrel/contract'
import type { Command } from 'commander'

import { AppError } from '../core/errors.ts'
import { formatPence, formatUsdcHeld } from '../core/money.ts'
import { listKeys } from '../domain/api-keys/list-keys.ts'
import { listInvoices } from '../domain/billing/list-invoices.ts'
import { findPartner } from '../domain/partners/find-partner.ts'
import { listPayouts } from '../domain/payouts/read/list-payouts.ts'
import { readWalletAccounts } from '../domain/wallet/read-balance.ts'
import { listMembers } from '../storage/members.ts'
import { NO_CRITERIA } from '../storage/payout-criteria.ts'
import { listOldestUnderWay } from '../storage/payouts-anywhere.ts'
import type { CommandContext } from './command-context.ts'
import { withDeps } from './context.ts'
import { requireEnvironment } from './options.ts'
import { print } from './print.ts'

interface OfPartner {
  readonly partner: string
  readonly json?: boolean
}
const ENVIRONMENTS: readonly Environment[] = ['sandbox', 'live']
const day = (at: Date | null) => at?.toISOString() ?? null

export function addKeyList(key: Command, context: CommandContext): void {
  key
    .command('list')
    .description('list a business’s keys, also those that stopped in the last 90 days; never a secret')
    .requiredOption('--partner <slug>', 'whose keys')
    .option('--json', 'print JSON')
    .action(async (options: OfPartner) => {
      const found = await withDeps(context, async (deps) =>
        listKeys(deps, (await findPartner(deps, options.partner)).id),
      )
      const keys = found.map((each) => ({
        id: each.id,
        environment: each.environment,
        key_prefix: each.keyPrefix,
        label: each.label,
        created_at: day(each.createdAt),
        last_used_at: day(each.lastUsedAt),
        expires_at: day(each.expiresAt),
        revoked_at: day(each.revokedAt),
      }))
      print({ partner: options.partner, keys }, options, () =>
        keys.length === 0
          ? ['There are no keys.']
          : keys.map((each) => {
              const state =
                each.revoked_at === null ? `used ${each.last_used_at ?? 'never'}` : `revoked ${each.revoked_at}`
              return `${each.id}  ${each.environment.padEnd(7)}  ${each.key_prefix}  ${state}  ${each.label ?? ''}`.trimEnd()
            }),
      )
    })
}

export function addWalletShow(wallet: Command, context: CommandContext): void {
  wallet
    .command('show')
    .description('show where the money of a business’s wallets is, by the books')
    .requiredOption('--partner <slug>', 'whose wallets')
    .option('--environment <environment>', 'sandbox or live; both unless given')
    .option('--json', 'print JSON')
    .action(async (options: OfPartner & { environment?: string }) => {
      const wanted = options.environment === undefined ? ENVIRONMENTS : [requireEnvironment(options.environment)]
      const wallets = await withDeps(context, async (deps) => {
        const { id: partnerId } = await findPartner(deps, options.partner)
        return Promise.all(
          wanted.map(async (environment) => {
            const { available, held, inTransit } = await readWalletAccounts(deps, { partnerId, environment })
            const [available_usdc, held_usdc, in_transit_usdc] = [available, held, inTransit].map(formatUsdcHeld)
            return { environment, available_usdc, held_usdc, in_transit_usdc }
          }),
        )
      })
      print({ partner: options.partner, wallets }, options, () =>
        wallets.map(
          ({ environment, available_usdc, held_usdc, in_transit_usdc }) =>
            `${environment.padEnd(8)} ${available_usdc} USDC available, ${held_usdc} held, ${in_transit_usdc} in transit`,
        ),
      )
    })
}

interface PayoutListOptions {
  readonly partner?: string
  readonly environment: string
  readonly status?: string
  readonly underWay?: boolean
  readonly most: string
  readonly json?: boolean
}

export function addPayoutList(payout: Command, context: CommandContext): void {
  payout
    .command('list')
    .description(
      'list a business’s payouts, the newest first; with --under-way everybody’s without an ending, the oldest first',
    )
    .option('--partner <slug>', 'whose payouts')
    .option('--environment <environment>', 'sandbox or live', 'live')
    .option('--status <status>', PAYOUT_STATUSES.join(', '))
    .option('--under-way', 'of all businesses, those that have not ended')
    .option('--most <count>', 'how many, 1 to 200', '50')
    .option('--json', 'print JSON')
    .action(async (options: PayoutListOptions) => {
      const payouts = await withDeps(context, (deps) => findPayouts(deps, options))
      print({ payouts }, options, () =>
        payouts.length === 0
          ? [
              options.underWay === true
                ? 'There are none.'
                : `There are none in ${options.environment}. The other environment has its own.`,
            ]
          : payouts.map(
              (each) =>
                `${each.id}  ${each.created_at}  ${each.status.padEnd(10)}  ${each.amount_gbp.padStart(10)} GBP  ${each.partner}`,
            ),
      )
    })
}

async function findPayouts(
  deps: Parameters<typeof findPartner>[0] & Parameters<typeof listPayouts>[0],
  options: PayoutListOptions,
) {
  const [environment, limit] = [requireEnvironment(options.environment), requireCount(options.most)]
  const present = (partner: string, each: { id: string; status: string; amount: bigint; createdAt: Date }) => ({
    id: each.id,
    partner,
    environment,
    status: each.status,
    amount_gbp: formatPence(each.amount as Parameters<typeof formatPence>[0]),
    created_at: each.createdAt.toISOString(),
  })
  if (options.underWay === true) {
    const rows = await listOldestUnderWay(deps.reports, environment, limit)
    return rows.map((each) => present(each.partnerSlug, each))
  }
  if (options.partner === undefined) throw new AppError('invalid_request', 'Say --partner SLUG, or --under-way.')
  const { id: partnerId } = await findPartner(deps, options.partner)
  const statuses = options.status === undefined ? [] : [requireStatus(options.status)]
  const criteria = statuses.length === 0 ? NO_CRITERIA : { ...NO_CRITERIA, statuses }
  const { payouts } = await listPayouts(deps, { partnerId, environment }, { ...criteria, cursor: null, limit })
  return payouts.map((each) => present(options.partner!, each))
}

function requireStatus(text: string): PayoutStatus {
  const found = PAYOUT_STATUSES.find((each) => each === text)
  if (found !== undefined) return found
  throw new AppError(
    'invalid_request',
    `--status must be one of ${PAYOUT_STATUSES.join(', ')}; it is ${JSON.stringify(text)}.`,
  )
}

function requireCount(text: string): number {
  const count = /^\d{1,3}$/.test(text) ? Number.parseInt(text, 10) : 0
  if (count >= 1 && count <= 200) return count
  throw new AppError('invalid_request', `--most must be from 1 to 200; it is ${JSON.stringify(text)}.`)
}

export function addInvoiceList(invoice: Command, context: CommandContext): void {
  invoice
    .command('list')
    .description('list a business’s invoices, the newest first')
    .requiredOption('--partner <slug>', 'whose invoices')
    .option('--json', 'print JSON')
    .action(async (options: OfPartner) => {
      const found = await withDeps(context, async (deps) =>
        listInvoices(deps, (await findPartner(deps, options.partner)).id),
      )
      const invoices = found.map((each) => ({
        id: each.id,
        number: each.number,
        month: each.month,
        status: each.status,
        total_gbp: formatPence(each.total),
        due_at: day(each.dueAt),
      }))
      print({ partner: options.partner, invoices }, options, () =>
        invoices.length === 0
          ? ['There are no invoices.']
          : invoices.map(
              (each) =>
                `${each.month}  ${(each.number ?? 'draft').padEnd(14)} ${each.status.padEnd(7)} ${each.total_gbp.padStart(12)} GBP`,
            ),
      )
    })
}

export function addMemberCommands(member: Command, context: CommandContext): void {
  member
    .command('list')
    .description('list the people of a business’s team; who joins and leaves is the team’s own to say')
    .requiredOption('--partner <slug>', 'whose team')
    .option('--json', 'print JSON')
    .action(async (options: OfPartner) => {
      const found = await withDeps(context, async (deps) =>
        listMembers(deps.db, (await findPartner(deps, options.partner)).id),
      )
      const members = found.map((each) => ({
        id: each.id,
        email: each.email,
        name: each.name,
        role: each.role,
        last_login_at: day(each.lastLoginAt),
      }))
      print({ partner: options.partner, members }, options, () =>
        members.length === 0
          ? ['There are no members.']
          : members.map((each) => `${each.role.padEnd(6)}  ${each.email}  signed in ${each.last_login_at ?? 'never'}`),
      )
    })
}
