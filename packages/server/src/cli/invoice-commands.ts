import type { Command } from 'commander'

import { systemClock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { londonMonth, monthBefore, parseMonth } from '../core/london-month.ts'
import { formatPence } from '../core/money.ts'
import { issueInvoices } from '../domain/billing/issue-invoices.ts'
import { type CommandContext, withDeps } from './context.ts'
import { print } from './print.ts'

export function addInvoiceCommands(program: Command, context: CommandContext): void {
  program
    .command('invoice')
    .description('monthly invoices')
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
      const invoices = issued.map(({ slug, id, total }) => ({ partner: slug, id, total_gbp: formatPence(total) }))
      print({ month, issued: invoices }, options, () => [
        `${month}: ${invoices.length} ${invoices.length === 1 ? 'invoice' : 'invoices'} issued.`,
        ...invoices.map(
          (invoice) => `  ${invoice.partner.padEnd(20)} ${invoice.total_gbp.padStart(12)} GBP  ${invoice.id}`,
        ),
      ])
    })
}
