// Transfers that the operator has answered by taking their money out of a wallet's books. `transfer:REF` answers a
// transfer that belongs to no payout, or a second one of a payout; `payout:ID`, a transfer whose payout already has its
// money back here.
import type { Environment } from '@kestrel/contract'

import { listAnsweredTransfers } from '../../../storage/operator-movements.ts'
import type { Deps } from '../../deps.ts'
import { isGivenUp } from '../../payouts/record/in-doubt.ts'
import type { IsAnswered } from './compare-books.ts'

export async function readAnswers(deps: Pick<Deps, 'db'>, environment: Environment): Promise<IsAnswered> {
  const rows = await listAnsweredTransfers(deps.db, environment)
  const answers = new Set(rows.map(({ holderRef, reference, amount }) => `${holderRef} ${reference} ${amount}`))
  const answeredBy = new Map<string, string>()
  return (payout, { transferRef, holderRef, send }) => {
    const has = (reference: string) => answers.has(`${holderRef} ${reference} ${send}`)
    if (payout === undefined) return has(`transfer:${transferRef}`)
    if (isGivenUp(payout)) {
      if (has(`transfer:${transferRef}`)) return true
      // One such answer covers one transfer, whichever of two it is.
      if (!has(`payout:${payout.id}`) || (answeredBy.get(payout.id) ?? transferRef) !== transferRef) return false
      answeredBy.set(payout.id, transferRef)
      return true
    }
    if (payout.transferRef !== transferRef) return has(`transfer:${transferRef}`)
    return payout.refundState === 'done' && has(`payout:${payout.id}`)
  }
}
