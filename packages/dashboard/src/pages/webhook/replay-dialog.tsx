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

/** Sends the events since a moment once more, in their order. */
export function ReplayDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const environment = useEnvironment()
  const [since, setSince] = useState<(typeof SINCE)[number]['value']>('24')
  const [only, setOnly] = useState<(typeof WHICH)[number]['value']>('failed')
  const [day, setDay] = useState(() => londonDay(new Date()))
  const [time, setTime] = useState('00:00')
  const moment = () =>
    since === 'own' ? londonMoment(day, time) : new Date(Date.now() - Number(since) * HOUR_MS).toISOString()
  const act = useAction((from: string) => replayEvents(environment, endpoint.id, { from, only }), {
    done: ({ deliveries, has_more: hasMore, until }) => doneWords(deliveries, hasMore ? until : null),
    refresh: [DELIVERIES],
    onDone: onClose,
  })
  const isWhole = since !== 'own' || moment() !== null
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
          const from = moment()
          if (from !== null && !act.isPending) act.mutate(from)
        }}
      >
        <Choice legend="Which" name="which" value={only} onChange={setOnly} options={WHICH} />
        <Choice legend="Since" name="since" value={since} onChange={setSince} options={SINCE} />
        {since === 'own' ? (
          <div className="grid grid-cols-2 gap-3">
            <Field label="Day" type="date" value={day} onChange={(event) => setDay(event.target.value)} />
            <Field
              label="Time in London"
              type="time"
              value={time}
              error={isWhole ? undefined : 'Enter a day and a time.'}
              onChange={(event) => setTime(event.target.value)}
            />
          </div>
        ) : null}
        {endpoint.status === 'active' ? null : (
          <p className="text-sm text-muted">Nothing goes out before the endpoint is active again.</p>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={!isWhole} busy={act.isPending ? 'Replaying…' : false}>
            Replay
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function doneWords(count: number, until: string | null): string {
  const sent = count === 1 ? '1 event is sent again.' : `${count} events are sent again.`
  return until === null ? sent : `${sent} There are more: replay once more from ${fullTime(until)}.`
}
