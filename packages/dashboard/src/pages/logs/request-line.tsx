import type { ActivityEntry } from '@kestrel/contract'

import { Badge } from '../../parts/status-pill.tsx'

export function RequestLine({ entry: { method, path, action } }: { entry: ActivityEntry }) {
  return (
    <span className="line-clamp-1 font-mono text-sm break-all">
      {method === null ? action : <span className="font-semibold">{method}</span>} {path}
    </span>
  )
}

/** Why it was refused, as programs read it. */
export function RefusalCode({ entry: { status, detail } }: { entry: ActivityEntry }) {
  if (status === null || status < 400 || detail === null) return null
  return <span className="block truncate text-sm text-muted">{detail}</span>
}

export function StatusCode({ status }: { status: number | null }) {
  if (status === null) return <Badge tone="quiet">None</Badge>
  const tone = status < 400 ? 'ok' : status < 500 ? 'warn' : 'bad'
  return <Badge tone={tone}>{String(status)}</Badge>
}
