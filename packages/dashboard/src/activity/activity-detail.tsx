import type { ActivityEntry } from '@kestrel/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { linkClass } from '../app/page.tsx'

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

/** The payout that a request made, or that its address names; null when it was about something else. */
export function payoutOf({ action, detail, path }: ActivityEntry): string | null {
  if (!action.startsWith('payout.')) return null
  if (detail !== null && UUID.test(detail)) return detail
  return path?.split('/').find((part) => UUID.test(part)) ?? null
}

/** What a request was about. A payout leads to its page, in the environment that it is in. */
export function ActivityDetail({ entry }: { entry: ActivityEntry }) {
  const { detail } = entry
  if (detail === null) return null
  return detail === payoutOf(entry) ? <PayoutLink entry={entry}>{detail}</PayoutLink> : detail
}

export function PayoutLink({ entry, children }: { entry: ActivityEntry; children: ReactNode }) {
  const id = payoutOf(entry)
  if (id === null) return null
  return (
    <Link
      to="/payouts/$id"
      params={{ id }}
      search={{ environment: entry.environment ?? undefined }}
      className={`break-all ${linkClass}`}
    >
      {children}
    </Link>
  )
}
