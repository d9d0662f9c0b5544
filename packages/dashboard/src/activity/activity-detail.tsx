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

/** What a request was about. A payout and a webhook endpoint lead to their pages, in the environment that they are in. */
export function ActivityDetail({ entry }: { entry: ActivityEntry }) {
  const { action, detail } = entry
  if (detail === null) return null
  if (detail === payoutOf(entry)) return <PayoutLink entry={entry}>{detail}</PayoutLink>
  const isEndpoint = action.startsWith('webhook_endpoint.') && action !== 'webhook_endpoint.delete'
  return isEndpoint && UUID.test(detail) ? <EndpointLink entry={entry} id={detail} /> : detail
}

function EndpointLink({ entry, id }: { entry: ActivityEntry; id: string }) {
  return (
    <Link
      to="/webhooks/$id"
      params={{ id }}
      search={{ environment: entry.environment ?? undefined }}
      className={`break-all ${linkClass}`}
    >
      {id}
    </Link>
  )
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
