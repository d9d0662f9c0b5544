import type { PayoutStatus } from '@kestrel/contract'

import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'

const LOOKS: Record<PayoutStatus, { word: string; icon: IconName; tone: string }> = {
  pending: { word: 'Pending', icon: 'clock', tone: 'bg-warn-soft text-warn' },
  processing: { word: 'Processing', icon: 'processing', tone: 'bg-info-soft text-info' },
  completed: { word: 'Completed', icon: 'check', tone: 'bg-ok-soft text-ok' },
  failed: { word: 'Failed', icon: 'cross', tone: 'bg-bad-soft text-bad' },
  cancelled: { word: 'Cancelled', icon: 'cancelled', tone: 'bg-quiet-soft text-quiet' },
  returned: { word: 'Returned', icon: 'returned', tone: 'bg-back-soft text-back' },
}

export const statusWord = (status: PayoutStatus) => LOOKS[status].word

/** Always an icon and a word: nobody has to tell the colours apart. */
export function StatusPill({ status }: { status: PayoutStatus }) {
  const { word, icon, tone } = LOOKS[status]
  return <Pill icon={icon} tone={tone} word={word} />
}

export type PillTone = 'ok' | 'info' | 'warn' | 'bad' | 'quiet' | 'sandbox' | 'live'

const TONES: Record<PillTone, string> = {
  ok: 'bg-ok-soft text-ok',
  info: 'bg-info-soft text-info',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  quiet: 'bg-quiet-soft text-quiet',
  sandbox: 'bg-sandbox-soft text-sandbox',
  live: 'bg-ink text-on-ink',
}

export function Badge({ tone, icon, children }: { tone: PillTone; icon?: IconName; children: string }) {
  return <Pill {...(icon === undefined ? {} : { icon })} tone={TONES[tone]} word={children} />
}

function Pill({ icon, tone, word }: { icon?: IconName; tone: string; word: string }) {
  return (
    <span
      className={`inline-flex h-fit items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap ${tone}`}
    >
      {icon === undefined ? null : <Icon name={icon} size={12} />}
      {word}
    </span>
  )
}
