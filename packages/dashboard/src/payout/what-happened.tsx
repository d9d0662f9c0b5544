import type { Payout, PayoutEvent, PayoutEventKind } from '@kestrel/contract'
import { UNDONE } from '@kestrel/contract/payout-status'
import { useQuery } from '@tanstack/react-query'

import { Loaded } from '../app/loaded.tsx'
import { useScope } from '../app/session.ts'
import { Icon } from '../parts/icon.tsx'
import type { IconName } from '../parts/icon-paths.ts'
import { Time } from '../parts/time.tsx'
import { timelineQuery } from '../server/queries.ts'
import { eventWords } from './event-words.ts'

const LOOKS: Record<PayoutEventKind, { icon: IconName; tone: string }> = {
  created: { icon: 'plus', tone: 'bg-quiet-soft text-quiet' },
  reserved: { icon: 'wallet', tone: 'bg-quiet-soft text-quiet' },
  sent: { icon: 'payouts', tone: 'bg-info-soft text-info' },
  waiting: { icon: 'clock', tone: 'bg-warn-soft text-warn' },
  completed: { icon: 'check', tone: 'bg-ok-soft text-ok' },
  failed: { icon: 'cross', tone: 'bg-bad-soft text-bad' },
  cancelled: { icon: 'cancelled', tone: 'bg-quiet-soft text-quiet' },
  returned: { icon: 'returned', tone: 'bg-back-soft text-back' },
  refunded: { icon: 'wallet', tone: 'bg-ok-soft text-ok' },
}

/** Kinds whose `detail` is shown under their sentence. */
const EXPLAINED: ReadonlySet<PayoutEventKind> = new Set(['created', 'waiting', 'failed', 'cancelled', 'returned'])

/** That a payout has arrived needs no more words, unless it was said before that it had not. */
function isExplained(event: PayoutEvent, before: readonly PayoutEvent[]): boolean {
  const wasUndone = before.some(({ kind }) => (UNDONE as ReadonlySet<string>).has(kind))
  return EXPLAINED.has(event.kind) || (event.kind === 'completed' && wasUndone)
}

export function WhatHappened({ payout }: { payout: Payout }) {
  const timeline = useQuery(timelineQuery(useScope(), payout.id))
  return (
    <Loaded query={timeline}>
      {({ data, next }) => (
        <ol aria-label="What happened" className="relative">
          {data.map((event, index) => (
            <Event
              key={`${event.kind}${event.at}`}
              event={event}
              detail={isExplained(event, data.slice(0, index)) ? event.detail : null}
              isLast={index === data.length - 1 && next === null}
            />
          ))}
          {next === null ? null : <NextStep text={next} />}
        </ol>
      )}
    </Loaded>
  )
}

function Event({ event, detail, isLast }: { event: PayoutEvent; detail: string | null; isLast: boolean }) {
  const { icon, tone } = LOOKS[event.kind]
  return (
    <li className="relative flex gap-3 pb-5">
      {isLast ? null : <span aria-hidden="true" className="absolute top-6 bottom-0 left-3 w-px bg-line" />}
      <span className={`z-0 flex size-6 shrink-0 items-center justify-center rounded-full ${tone}`}>
        <Icon name={icon} size={13} />
      </span>
      <div className="min-w-0">
        <p className="pt-0.5">{eventWords(event)}</p>
        {detail === null ? null : <p className="text-muted">{detail}</p>}
        <p className="text-sm text-muted">
          <Time at={event.at} as="full" />
        </p>
      </div>
    </li>
  )
}

/** A hollow dot: it has not happened yet. */
function NextStep({ text }: { text: string }) {
  return (
    <li className="flex gap-3 text-muted">
      <span className="flex size-6 shrink-0 items-center justify-center">
        <span className="size-3 rounded-full border-2 border-dashed border-control" />
      </span>
      <p className="pt-0.5">
        <span className="sr-only">Next: </span>
        {text}
      </p>
    </li>
  )
}
