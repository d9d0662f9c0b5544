import type { ActivityEntry } from '@kestrel/contract'
import { Link } from '@tanstack/react-router'

import { linkClass } from '../app/page.tsx'

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

/** What a request was about. A payout leads to its page, in the environment that it is in. */
export function ActivityDetail({ entry: { action, detail, environment } }: { entry: ActivityEntry }) {
  if (detail === null) return null
  if (!UUID.test(detail) || !action.startsWith('payout')) return detail
  return (
    <Link
      to="/payouts/$id"
      params={{ id: detail }}
      search={{ environment: environment ?? undefined }}
      className={`break-all ${linkClass}`}
    >
      {detail}
    </Link>
  )
}
