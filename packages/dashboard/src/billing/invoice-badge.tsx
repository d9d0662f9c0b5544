import { Badge, type PillTone } from '../parts/status-pill.tsx'

const TONES: Readonly<Record<string, PillTone>> = {
  draft: 'quiet',
  issued: 'info',
  paid: 'ok',
  overdue: 'bad',
  void: 'quiet',
}

export function InvoiceBadge({ status }: { status: string }) {
  return <Badge tone={TONES[status] ?? 'quiet'}>{status.charAt(0).toUpperCase() + status.slice(1)}</Badge>
}
