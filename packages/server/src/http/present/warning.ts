import type { PayoutWarning } from '@kestrel/contract'

import { type Warning, warningInWords } from '../../domain/payouts/warn/warning-words.ts'

export function presentWarning(warning: Warning): PayoutWarning {
  return {
    code: warning.code,
    message: warningInWords(warning),
    details: { payout_id: warning.payout_id, account_last4: warning.account_last4, created_at: warning.at },
  }
}
