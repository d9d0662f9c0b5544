import type { Command } from 'commander'

import { counted } from '../core/words.ts'
import { type FoundProblem, keptSinceOf, verifyPartner } from '../domain/audit/verify-all.ts'
import { findPartner, listPartners } from '../domain/partners/find-partner.ts'
import { auditRollups } from '../domain/rollups/audit-rollups.ts'
import type { CommandContext } from './command-context.ts'
import { withDeps } from './context.ts'
import { print } from './print.ts'

// Whoever has more differences than this has one cause for all of them; they are counted.
const MOST_SHOWN = 200

export function addAuditCommands(audit: Command, context: CommandContext): void {
  addVerify(audit, context)
  audit
    .command('rollups')
    .description('add up again every sum that is kept, and name what differs; exits 1 when something does')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const shown: { partner: string; environment: string; check: string; detail: string }[] = []
      const { wallets, breaks } = await withDeps(context, (deps) =>
        auditRollups(deps, ({ slug, environment }, { check, detail }) => {
          if (shown.length < MOST_SHOWN) shown.push({ partner: slug, environment, check, detail })
        }),
      )
      if (breaks > 0) process.exitCode = 1
      print({ wallets, differences: breaks, shown }, options, () =>
        breaks === 0
          ? [`Every sum of ${counted(wallets, 'wallet')} is what it counts.`]
          : [
              ...shown.map((each) => `${each.partner} (${each.environment}) ${each.check}: ${each.detail}`),
              ...(breaks > shown.length ? [`… and ${breaks - shown.length} more.`] : []),
            ],
      )
    })
}

type Shown = FoundProblem & { readonly partner: string }

function addVerify(audit: Command, context: CommandContext): void {
  audit
    .command('verify')
    .description('compute the audit log’s hashes again, and name the first entry that differs; exits 1 when one does')
    .option('--partner <slug>', 'of this business alone')
    .option('--json', 'print JSON')
    .action(async (options: { partner?: string; json?: boolean }) => {
      const shown: Shown[] = []
      const sums = { partners: 0, chains: 0, entries: 0, waiting: 0, problems: 0 }
      await withDeps(context, async (deps) => {
        const { partner: slug } = options
        const partners = slug === undefined ? await listPartners(deps) : [await findPartner(deps, slug)]
        const keptSince = keptSinceOf(deps.clock.now(), context.config.activityMonths)
        for (const { id: partnerId, slug: partner } of partners) {
          const done = await verifyPartner(deps, { partnerId, keptSince }, (found) => {
            if (shown.length < MOST_SHOWN) shown.push({ partner, ...found })
          })
          sums.partners++
          for (const name of ['chains', 'entries', 'waiting', 'problems'] as const) sums[name] += done[name]
        }
      })
      if (sums.problems > 0) process.exitCode = 1
      print({ ...sums, shown }, options, () => inWords(sums, shown))
    })
}

function inWords(
  sums: Readonly<Record<'partners' | 'chains' | 'entries' | 'waiting' | 'problems', number>>,
  shown: readonly Shown[],
) {
  const waiting =
    sums.waiting === 0
      ? []
      : [`${counted(sums.waiting, 'entry is', 'entries are')} still to be linked: the worker does it.`]
  const { problems } = sums
  if (problems > 0)
    return [
      ...shown.map(problemInWords),
      ...(problems > shown.length ? [`… and ${problems - shown.length} more.`] : []),
      ...waiting,
    ]
  const whole = `${counted(sums.entries, 'entry', 'entries')} in ${counted(sums.chains, 'chain')} of ${counted(sums.partners, 'business', 'businesses')}: as they were written.`
  return [whole, ...waiting]
}

function problemInWords({ partner, chain, position, id, wrong }: Shown): string {
  const place = chain === null ? '' : ` (${chain})`
  const entry = [position === null ? [] : [`entry ${position}`], id === null ? [] : [id]].flat().join(', ')
  return `${partner}${place} ${entry}: ${wrong}.`
}
