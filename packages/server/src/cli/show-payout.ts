import { formatPence } from '../core/money.ts'
import type { Deps } from '../domain/deps.ts'
import { showPayout } from '../domain/payouts/read/show-payout.ts'
import type { CommandContext } from './command-context.ts'
import { confirmLive } from './confirm-live.ts'
import { withDeps } from './context.ts'
import { payoutInLines, presentPayout } from './present-payout.ts'
import { print } from './print.ts'

/** Does something about a payout and shows what became of it. */
export async function changeAndShow(
  context: CommandContext,
  id: string,
  options: { json?: boolean },
  change: (deps: Deps) => Promise<unknown>,
): Promise<void> {
  const shown = await withDeps(context, async (deps) => {
    await change(deps)
    return showPayout(deps, id)
  })
  print(presentPayout(shown), options, () => payoutInLines(shown))
}

export const YES = ['--yes', 'do not ask for the amount again before the books of a live payout change'] as const

/** The same for what changes whose money it is: of a live payout, somebody at a terminal types the amount first. */
export function confirmAndShow(
  context: CommandContext,
  id: string,
  options: { json?: boolean; yes?: boolean },
  { what, change }: { what: string; change: (deps: Deps) => Promise<unknown> },
): Promise<void> {
  return changeAndShow(context, id, options, async (deps) => {
    const { row } = await showPayout(deps, id)
    const { environment, partnerSlug } = row
    const amount = formatPence(row.amount)
    const asked = `${what} ${id}, ${amount} GBP of ${partnerSlug}`
    await confirmLive({ environment, amount, what: asked, yes: options.yes === true })
    await change(deps)
  })
}
