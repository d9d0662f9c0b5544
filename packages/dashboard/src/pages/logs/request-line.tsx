import type { ActivityEntry } from '@kestrel/contract'

import { Badge } from '../../parts/status-pill.tsx'

export function RequestLine({ entry: { method, path, action } }: { entry: ActivityEntry }) {
  return (
    <span className="line-clamp-1 font-mono text-sm break-all">
      {method === null ? action : <span className="font-semibold">{method}</span>} {path}
    </span>
  )
}

export function StatusCode({ status }: { status: number | null }) {
  if (status === null) return <Badge tone="quiet">None</Badge>
  const tone = status < 400 ? 'ok' : status < 500 ? 'warn' : 'bad'
  return <Badge tone={tone}>{String(status)}</Badge>
}
