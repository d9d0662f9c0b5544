import type { GoLive, GoLiveStepId } from '@kestrel/contract'

import type { GoLiveProgress } from '../../domain/banking/verification/go-live.ts'

/** What a step is called, and the page where it is done. */
const STEPS: Readonly<Record<GoLiveStepId, { title: string; page: string }>> = {
  first_payout: { title: 'Send a test payout', page: '/dashboard/payouts/new?environment=sandbox' },
  failure_handled: { title: 'Read a payout that failed, with your key', page: '/docs#description/try-every-ending' },
  replay_seen: { title: 'Repeat a request under its key', page: '/docs#description/pay-once' },
  webhook_verified: { title: 'Receive a webhook', page: '/dashboard/webhooks?environment=sandbox' },
  two_admins: { title: 'Name a second admin', page: '/dashboard/team' },
  verification: { title: 'Verify your business', page: '/dashboard/compliance' },
  funding: { title: 'Top up the live wallet', page: '/dashboard/funding?environment=live' },
  low_balance_warning: { title: 'Be told when it runs low', page: '/dashboard/settings' },
  live_key: { title: 'Create a live key', page: '/dashboard/keys?environment=live' },
  limited_key: { title: 'Give a key limits', page: '/dashboard/keys' },
  first_live_payout: { title: 'Send the first £1', page: '/dashboard/payouts/new?environment=live&amount=1.00' },
}

export function presentGoLive(progress: readonly GoLiveProgress[], publicUrl: string): GoLive {
  return {
    object: 'go_live',
    done: progress.filter(({ isDone }) => isDone).length,
    total: progress.length,
    steps: progress.map(({ id, isDone }) => {
      const { title, page } = STEPS[id]
      return { id, title, done: isDone, url: `${publicUrl}${page}` }
    }),
  }
}
