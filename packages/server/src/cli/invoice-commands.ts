import type { Command } from 'commander'

import { systemClock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { londonMonth, monthBefore, parseMonth } from '../core/london-month.ts'
import { formatPence } from '../core/money.ts'
import { counted } from '../core/words.ts'
import { auditInvoices } from '../domain/billing/audit-invoices.ts'
import { issueInvoices } from '../domain/billing/issue-invoices.ts'
import { mailInvoiceNow } from '../domain/billing/mail-invoice-now.ts'
import type { InvoiceMailed } from '../domain/billing/mail-invoices.ts'
import { markInvoicePaid, markInvoiceVoid } from '../domain/billing/settle-invoice.ts'
import type { Deps } from '../domain/deps.ts'
import type { InvoiceRow } from '../storage/invoices.ts'
import type { CommandContext } from './command-context.ts'
import { withDeps } from './context.ts'
import { addInvoiceList } from './list-commands.ts'
import { requireDay } from './options.ts'
import { print } from './print.ts'

export function addInvoiceCommands(invoice: Command, context: CommandContext): void {
  addRun(invoice, context)
  addInvoiceList(invoice, context)
  addMarkPaid(invoice, context)
  addVoid(invoice, context)
  addMail(invoice, context)
  addAudit(invoice, context)
}

function addRun(invoice: Command, context: CommandContext): void {
  invoice
    .command('run')
    .description('issue the invoices of a month that is over; those that exist stay as they are')
    .option('--month <YYYY-MM>', 'which month; the last one unless given')
    .option('--json', 'print JSON')
    .action(async (options: { month?: string; json?: boolean }) => {
      const month =
        options.month === undefined ? monthBefore(londonMonth(systemClock.now())) : parseMonth(options.month)
      if (month === null) {
        throw new AppError('invalid_request', `--month must be like 2026-10; it is ${JSON.stringify(options.month)}.`)
      }
      const issued = await withDeps(context, (deps) => issueInvoices(deps, month))
      const invoices = issued.map(({ slug, id, number, total }) => ({
        partner: slug,
        id,
        number,
        total_gbp: formatPence(total),
      }))
      print({ month, issued: invoices }, options, () => [
        `${month}: ${counted(invoices.length, 'invoice')} issued.`,
        ...invoices.map((each) => `  ${each.partner.padEnd(20)} ${each.total_gbp.padStart(12)} GBP  ${each.number}`),
      ])
    })
}

function addMarkPaid(invoice: Command, context: CommandContext): void {
  invoice
    .command('mark-paid <number>')
    .description('say that an invoice was paid')
    .option('--on <YYYY-MM-DD>', 'the day on which the money came; today unless given')
    .option('--json', 'print JSON')
    .action(async (number: string, options: { on?: string; json?: boolean }) => {
      const on = options.on === undefined ? systemClock.now() : requireDay('--on', options.on)
      await settle(context, options, (deps) => markInvoicePaid(deps, number, on))
    })
}

function addVoid(invoice: Command, context: CommandContext): void {
  invoice
    .command('void <number>')
    .description('write an invoice off; its number and its payouts stay on it')
    .requiredOption('--reason <text>', 'why, for those who look later')
    .option('--json', 'print JSON')
    .action(async (number: string, options: { reason: string; json?: boolean }) => {
      const reason = options.reason.trim()
      if (reason === '' || reason.length > 500) {
        throw new AppError('invalid_request', '--reason must have 1 to 500 characters.')
      }
      await settle(context, options, (deps) => markInvoiceVoid(deps, number, reason))
    })
}

async function settle(
  context: CommandContext,
  options: { json?: boolean },
  change: (deps: Deps) => Promise<InvoiceRow>,
): Promise<void> {
  const invoice = await withDeps(context, change)
  const result = {
    id: invoice.id,
    number: invoice.number,
    status: invoice.status,
    total_gbp: formatPence(invoice.total),
    paid_at: invoice.paidAt?.toISOString() ?? null,
    voided_at: invoice.voidedAt?.toISOString() ?? null,
  }
  print({ invoice: result }, options, () => [`${result.number} is ${result.status}: ${result.total_gbp} GBP.`])
}

const MAILED: Readonly<Record<InvoiceMailed, string>> = {
  written: 'is in the post.',
  written_before: 'was written before. Nothing was done.',
  no_address: 'has nobody to be mailed to: the business has no billing address.',
  void: 'is void, so nothing is mailed.',
}

function addMail(invoice: Command, context: CommandContext): void {
  invoice
    .command('mail <invoice>')
    .description('mail an invoice now, by its number or id, unless it was mailed before')
    .option('--json', 'print JSON')
    .action(async (named: string, options: { json?: boolean }) => {
      const done = await withDeps(context, (deps) => mailInvoiceNow(deps, named))
      const { id, number } = done.invoice
      print({ invoice: { id, number }, outcome: done.outcome }, options, () => [`${number} ${MAILED[done.outcome]}`])
    })
}

function addAudit(invoice: Command, context: CommandContext): void {
  invoice
    .command('audit')
    .description('prove that the invoices are the completed live payouts, to the penny; exits 1 when something is off')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const audit = await withDeps(context, auditInvoices)
      if (audit.breaks.length > 0) process.exitCode = 1
      const result = {
        checked_at: systemClock.now().toISOString(),
        checks: audit.checks,
        invoices: audit.invoices,
        charges: audit.charges,
        invoiced_payouts: audit.payouts,
        total_gbp: formatPence(audit.total),
        breaks: audit.breaks.map((each) => ({ check: each.check, partner_id: each.partnerId, detail: each.detail })),
      }
      print(result, options, () =>
        audit.breaks.length === 0
          ? [
              `The invoices are right: ${counted(audit.invoices, 'invoice')}, ${counted(audit.payouts, 'payout')}, ${result.total_gbp} GBP; ${counted(audit.checks.length, 'check')}.`,
            ]
          : audit.breaks.map((each) => `${each.check} (${each.partnerId ?? 'all'}): ${each.detail}`),
      )
    })
}
