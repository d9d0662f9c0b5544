import type { Deps } from '../domain/deps.ts'
import { showPayout } from '../domain/payouts/read/show-payout.ts'
import type { CommandContext } from './command-context.ts'
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
