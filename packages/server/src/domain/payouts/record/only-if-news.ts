// A rail without a bank stores nothing: what it says follows from a transfer's reference and the time. Of a payout that was told how
// to end, or whose time was let pass, it says what is no longer true.
import type { PayoutStatus } from '@kestrel/contract'

import type { PayoutRail } from '../../../rail/port.ts'
import type { TransferSnapshot } from '../../../rail/transfer.ts'
import type { Payout } from '../payout.ts'
import { mayMove, statusOf } from '../states.ts'
import type { NewsOfPayout } from './record-news.ts'

/** For `recordNews`, of what a rail says by itself. What a bank says is always heard. */
export function onlyIfNews({ wasTold }: PayoutRail, { state }: TransferSnapshot): Pick<NewsOfPayout, 'onlyIf'> {
  if (wasTold === undefined) return {}
  return { onlyIf: (row) => !wasTold(row.bankState) && state !== 'unknown' && mayBecome(row, statusOf(state)) }
}

/** Also what has ended so already while its money is not back: whoever asked first may have been cut off before that step. */
export function mayBecome({ status, refundState }: Payout, next: PayoutStatus): boolean {
  return mayMove(status, next) || (status === next && refundState === 'due')
}
