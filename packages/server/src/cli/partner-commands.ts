import type { Environment } from '@kestrel/contract'
import type { Command } from 'commander'

import { recordOperatorAction } from '../domain/activity/record-operator-action.ts'
import { listKeys } from '../domain/api-keys/list-keys.ts'
import { type LiveStanding, readLiveStanding } from '../domain/banking/verification/live-standing.ts'
import { vouchForPartner } from '../domain/banking/verification/vouch-for-partner.ts'
import type { Deps } from '../domain/deps.ts'
import { changePartnerStatus, closePartner } from '../domain/partners/change-partner.ts'
import { readPayoutLimits } from '../domain/partners/change-payout-limits.ts'
import { createPartner } from '../domain/partners/create-partner.ts'
import { findPartner, listPartners } from '../domain/partners/find-partner.ts'
import { readWalletAccounts } from '../domain/wallet/read-balance.ts'
import { formatUsdcHeld } from '../core/money.ts'
import { counted } from '../core/words.ts'
import type { CommandContext } from './command-context.ts'
import { withDeps } from './context.ts'
import { addLimitsCommand, presentLimits } from './limits-command.ts'
import { addPauseCommands } from './pause-commands.ts'
import { print } from './print.ts'

type Partner = Awaited<ReturnType<typeof findPartner>>

export function addPartnerCommands(partner: Command, context: CommandContext): void {
  partner
    .command('create')
    .description('create a business with its wallets, the sandbox float and a sandbox key')
    .requiredOption('--name <name>', 'the business’s name')
    .requiredOption('--slug <slug>', 'its short name: 2 to 40 lower-case letters, digits or hyphens')
    .option('--admin-email <email>', 'who may sign in to its dashboard')
    .option('--json', 'print JSON')
    .action(async (options: { name: string; slug: string; adminEmail?: string; json?: boolean }) => {
      const wanted = { name: options.name, slug: options.slug, adminEmail: options.adminEmail ?? null }
      const created = await withDeps(context, async (deps) => {
        const result = await createPartner(deps, wanted)
        await recordOperatorAction(deps, {
          partnerId: result.partner.id,
          action: 'partner.create',
          detail: wanted.slug,
        })
        return result
      })
      const result = { partner: presentPartner(created.partner), sandbox_key: created.sandboxKey.secret }
      print(result, options, () => [
        `Created ${created.partner.name} (${created.partner.slug}) with 10000.00 USDC in its sandbox wallet.`,
        `Sandbox key, shown once: ${created.sandboxKey.secret}`,
      ])
    })
  partner
    .command('list')
    .description('list all businesses')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const partners = await withDeps(context, listPartners)
      print({ partners: partners.map(presentPartner) }, options, () =>
        partners.length === 0 ? ['There are no partners yet.'] : partners.map(inOneLine),
      )
    })
  addShow(partner, context)
  addLimitsCommand(partner, context)
  addPauseCommands(partner, context)
  addVerify(partner, context)
  addChange(partner, context, 'suspend', 'refuse all its requests from now on', (deps, slug) =>
    changePartnerStatus(deps, slug, 'suspended'),
  )
  addChange(partner, context, 'activate', 'let a suspended business work again', (deps, slug) =>
    changePartnerStatus(deps, slug, 'active'),
  )
  addChange(partner, context, 'close', 'end it for good; its live wallet must be empty', closePartner)
}

/** Where a live bank is connected, the bank has the last word and may ask for documents. */
function addVerify(partner: Command, context: CommandContext): void {
  partner
    .command('verify <slug>')
    .description('vouch for a business: it is opened at the live bank, or may prepare for one')
    .option('--json', 'print JSON')
    .action(async (slug: string, options: { json?: boolean }) => {
      const { publicUrl } = context.config
      const returnUrl = publicUrl === null ? null : `${publicUrl}/dashboard/compliance`
      const [vouched, live] = await withDeps(context, async (deps) => {
        const result = await vouchForPartner(deps, slug, returnUrl)
        await recordOperatorAction(deps, { partnerId: result.id, action: 'partner.verify', detail: null })
        return [result, await readLiveStanding(deps, result)] as const
      })
      const { continueUrl: continue_url, termsUrl: terms_url } = vouched
      const result = { partner: presentPartner(vouched), live: { ...presentLive(live), continue_url, terms_url } }
      print(result, options, () => [inOneLine(vouched), `  live: ${live.detail}`])
    })
}

function addShow(partner: Command, context: CommandContext): void {
  partner
    .command('show <slug>')
    .description('show a business, its wallets and its keys')
    .option('--json', 'print JSON')
    .action(async (slug: string, options: { json?: boolean }) => {
      const found = await withDeps(context, async (deps) => {
        const it = await findPartner(deps, slug)
        const [sandbox, live, keys, standing, { limits }] = await Promise.all([
          readWalletAccounts(deps, { partnerId: it.id, environment: 'sandbox' }),
          readWalletAccounts(deps, { partnerId: it.id, environment: 'live' }),
          listKeys(deps, it.id),
          readLiveStanding(deps, it),
          readPayoutLimits(deps, it.id),
        ])
        const activeKeys = keys.filter((key) => key.revokedAt === null).length
        return { partner: it, standing, sandbox, live, limits: presentLimits(limits), activeKeys }
      })
      const wallet = (environment: Environment, accounts: typeof found.sandbox) => ({
        available_usdc: formatUsdcHeld(accounts.available),
        held_usdc: formatUsdcHeld(accounts.held),
        in_transit_usdc: formatUsdcHeld(accounts.inTransit),
        payout_limits_gbp: found.limits[environment],
      })
      const result = {
        partner: presentPartner(found.partner),
        wallets: { sandbox: wallet('sandbox', found.sandbox), live: wallet('live', found.live) },
        live: presentLive(found.standing),
        active_keys: found.activeKeys,
      }
      print(result, options, () => [
        inOneLine(found.partner),
        ...Object.entries(result.wallets).map(
          ([name, own]) =>
            `  ${name.padEnd(8)} ${own.available_usdc} USDC available, ${own.held_usdc} held, ${own.in_transit_usdc} in transit`,
        ),
        `  live: ${found.standing.detail}`,
        `  ${counted(found.activeKeys, 'active key')}`,
      ])
    })
}

function addChange(
  partner: Command,
  context: CommandContext,
  verb: 'suspend' | 'activate' | 'close',
  description: string,
  change: (deps: Deps, slug: string) => Promise<Partner>,
): void {
  partner
    .command(`${verb} <slug>`)
    .description(description)
    .option('--json', 'print JSON')
    .action(async (slug: string, options: { json?: boolean }) => {
      const changed = await withDeps(context, (deps) => change(deps, slug))
      print({ partner: presentPartner(changed) }, options, () => [inOneLine(changed)])
    })
}

function presentLive({ isOpen, detail }: LiveStanding): { open: boolean; detail: string } {
  return { open: isOpen, detail }
}

function presentPartner(partner: Partner): Record<string, unknown> {
  return {
    id: partner.id,
    slug: partner.slug,
    name: partner.name,
    status: partner.status,
    verification_status: partner.verificationStatus,
    contact_email: partner.contactEmail,
    created_at: partner.createdAt.toISOString(),
  }
}

function inOneLine(partner: Partner): string {
  return `${partner.slug.padEnd(20)} ${partner.status.padEnd(10)} verification ${partner.verificationStatus.padEnd(12)} ${partner.name}`
}
