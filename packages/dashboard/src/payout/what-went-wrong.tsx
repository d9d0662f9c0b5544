import type { Payout, PayoutStatus } from '@kestrel/contract'
import { WENT_WRONG } from '@kestrel/contract/payout-status'

import { Notice } from '../parts/card.tsx'

const TITLES: Partial<Record<PayoutStatus, string>> = { failed: 'It failed', returned: 'It came back' }

/** Why a payout did not stay with its recipient, before anything else about it. */
export function WhatWentWrong({ payout: { status, failure_reason } }: { payout: Payout }) {
  if (failure_reason == null) return null
  return (
    <Notice tone={WENT_WRONG.has(status) ? 'bad' : 'quiet'} title={TITLES[status]}>
      <p className="wrap-anywhere">{failure_reason}</p>
    </Notice>
  )
}
