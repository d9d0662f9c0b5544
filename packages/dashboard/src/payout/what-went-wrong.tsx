import type { Payout, PayoutStatus } from '@kestrel/contract'

import { Notice } from '../parts/card.tsx'

const TITLES: Partial<Record<PayoutStatus, string>> = { failed: 'It failed', returned: 'It came back' }

/** Why a payout did not stay with its recipient, before anything else about it. */
export function WhatWentWrong({ payout: { status, failure_reason } }: { payout: Payout }) {
  if (failure_reason == null) return null
  return (
    <Notice tone={status === 'cancelled' ? 'quiet' : 'bad'} title={TITLES[status]}>
      <p className="wrap-anywhere">{failure_reason}</p>
    </Notice>
  )
}
