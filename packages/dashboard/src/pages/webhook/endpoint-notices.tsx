import type { WebhookEndpoint } from '@kestrel/contract'

import { useNow } from '../../app/use-now.ts'
import { fullTime } from '../../format/dates.ts'
import { Notice } from '../../parts/card.tsx'
import { Time } from '../../parts/time.tsx'
import { timeLeft } from './time-left.ts'

const REASONS = {
  gone: 'It answered 410, which says that it is gone for good.',
  asked: 'It asked for that, with the header webhook-delivery: disable.',
  failing: 'Nothing was delivered to it for five days.',
} as const

/** What is not as usual: it is off, paused or failing, or two secrets sign. */
export function EndpointNotices({ endpoint }: { endpoint: WebhookEndpoint }) {
  return (
    <>
      <Standing endpoint={endpoint} />
      {endpoint.previous_secret_until === null ? null : <Grace until={endpoint.previous_secret_until} />}
    </>
  )
}

function Standing({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { status, disabled_reason: reason, disabled_at: at, failing_since: since } = endpoint
  if (status === 'disabled') {
    return (
      <Notice tone="bad" title="This endpoint is switched off">
        <p>
          {reason === null ? null : REASONS[reason]} Nothing has been sent to it since{' '}
          {at === null ? 'then' : <Time at={at} />}. Once your receiver works, switch it on again, and replay what it
          missed.
        </p>
      </Notice>
    )
  }
  if (status === 'paused') {
    return (
      <Notice tone="quiet" title="This endpoint is paused">
        <p>Its events are kept, and sent in their order when you resume it.</p>
      </Notice>
    )
  }
  if (since === null) return null
  return (
    <Notice tone="warn" title="Nothing has arrived lately">
      <p>
        It has failed since <Time at={since} />. Each event is tried ten times over three days; after five days without
        a delivery the endpoint is switched off. Look into a delivery below to see what your receiver answered.
      </p>
    </Notice>
  )
}

function Grace({ until }: { until: string }) {
  const now = useNow(1_000)
  const left = timeLeft(until, now)
  if (left === null) return null
  return (
    <Notice tone="info" title="Two secrets sign">
      <p>
        The old secret stops in <strong className="num font-semibold">{left}</strong>, on {fullTime(until)}. Give your
        receiver the new one before that.
      </p>
    </Notice>
  )
}
