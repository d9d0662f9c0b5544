import type { WebhookEndpoint } from '@kestrel/contract'
import { useState } from 'react'

import { useEnvironment } from '../../app/session.ts'
import { useAction } from '../../app/use-action.ts'
import { fullTime, londonDay, londonMoment } from '../../format/dates.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Choice, Field } from '../../parts/field.tsx'
import { DELIVERIES } from '../../server/webhook-queries.ts'
import { replayEvents } from '../../server/webhooks.ts'

const HOUR_MS = 3_600_000

const SINCE = [
  { value: '1', label: '1 hour ago' },
  { value: '24', label: '24 hours ago' },
  { value: '168', label: '7 days ago' },
  { value: 'own', label: 'A moment of yours' },
] as const

const WHICH = [
  { value: 'failed', label: 'What failed', hint: 'Only what was never delivered.' },
  { value: 'all', label: 'Everything', hint: 'Also what arrived, and what happened before the endpoint was made.' },
] as const

type Since = (typeof SINCE)[number]['value']
type Which = (typeof WHICH)[number]['value']

/** What was sent by one replay, and the exact moment at which the next one begins. */
interface Part {
  readonly sent: number
  readonly until: string
}

/** Sends the events since a moment once more, in their order. */
export function ReplayDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const environment = useEnvironment()
  const start = useStart()
  const [only, setOnly] = useState<Which>('failed')
  const [part, setPart] = useState<Part | null>(null)
  const act = useAction((from: string) => replayEvents(environment, endpoint.id, { from, only }), {
    done: ({ deliveries, has_more: hasMore }) => (hasMore ? null : sentWords((part?.sent ?? 0) + deliveries)),
    refresh: [DELIVERIES],
    onDone: ({ deliveries, has_more: hasMore, until }) =>
      hasMore ? setPart({ sent: (part?.sent ?? 0) + deliveries, until }) : onClose(),
  })
  return (
    <Dialog
      title="Replay events"
      description="They keep their ids and their order: a receiver that remembers ids takes each once, however often it comes."
      isOpen
      onClose={onClose}
      width="wide"
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const from = part?.until ?? start.moment()
          if (from !== null && !act.isPending) act.mutate(from)
        }}
      >
        {part === null ? (
          <>
            <Choice legend="Which" name="which" value={only} onChange={setOnly} options={WHICH} />
            <StartFields start={start} />
          </>
        ) : (
          <p role="status">
            {sentWords(part.sent)} There are more, from {fullTime(part.until)} on.
          </p>
        )}
        {endpoint.status === 'active' ? null : (
          <p className="text-sm text-muted">Nothing goes out before the endpoint is active again.</p>
        )}
        <DialogActions>
          <Button onClick={onClose}>{part === null ? 'Cancel' : 'Close'}</Button>
          <Button
            kind="primary"
            type="submit"
            disabled={part === null && start.moment() === null}
            busy={act.isPending ? 'Replaying…' : false}
          >
            {part === null ? 'Replay' : 'Replay more'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type Start = ReturnType<typeof useStart>

function useStart() {
  const [since, setSince] = useState<Since>('24')
  const [day, setDay] = useState(() => londonDay(new Date()))
  const [time, setTime] = useState('00:00')
  /** Null while a part of it is missing. */
  const moment = () =>
    since === 'own' ? londonMoment(day, time) : new Date(Date.now() - Number(since) * HOUR_MS).toISOString()
  return { since, setSince, day, setDay, time, setTime, moment }
}

function StartFields({ start: { since, setSince, day, setDay, time, setTime, moment } }: { start: Start }) {
  return (
    <>
      <Choice legend="Since" name="since" value={since} onChange={setSince} options={SINCE} />
      {since === 'own' ? (
        <div className="grid grid-cols-2 gap-3">
          <Field label="Day" type="date" value={day} onChange={(event) => setDay(event.target.value)} />
          <Field
            label="Time in London"
            type="time"
            value={time}
            error={moment() === null ? 'Enter a day and a time.' : undefined}
            onChange={(event) => setTime(event.target.value)}
          />
        </div>
      ) : null}
    </>
  )
}

function sentWords(count: number): string {
  return count === 1 ? '1 event is sent again.' : `${count} events are sent again.`
}
