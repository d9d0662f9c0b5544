import type { WebhookEndpoint } from '@kestrel/contract'

import { inThousands } from '../../format/people.ts'
import { Card } from '../../parts/card.tsx'
import { FigureOf, Figures } from '../../parts/figures.tsx'
import { Time } from '../../parts/time.tsx'
import { outcomeWords, rateWords } from '../../webhooks/delivery-words.ts'

export function EndpointFigures({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { attempts_24h: attempts, delivered_24h: delivered, last_failure: last, events } = endpoint
  return (
    <Card>
      <Figures>
        <FigureOf
          term="Arrived in the last 24 hours"
          note={attempts === 0 ? 'Nothing was sent' : `${inThousands(delivered)} of ${inThousands(attempts)} attempts`}
        >
          {rateWords(endpoint)}
        </FigureOf>
        <FigureOf term="Last failure" note={last === null ? undefined : outcomeWords(last)}>
          {last === null ? 'None' : <Time at={last.at} as="ago" />}
        </FigureOf>
        <FigureOf term="Added" note={endpoint.created_by}>
          <Time at={endpoint.created_at} as="day" />
        </FigureOf>
      </Figures>
      <p className="mt-4 text-sm text-muted">Events</p>
      <p className="mt-0.5 font-mono text-sm wrap-anywhere">
        {events.includes('*') ? 'All, also those that there will be' : events.join(', ')}
      </p>
    </Card>
  )
}
