import { Badge } from '../parts/status-pill.tsx'

/** The environment in which something happened; nothing for what belongs to neither. */
export function EnvironmentBadge({ environment }: { environment: string | null }) {
  if (environment === null) return null
  return environment === 'live' ? <Badge tone="info">Live</Badge> : <Badge tone="sandbox">Sandbox</Badge>
}
