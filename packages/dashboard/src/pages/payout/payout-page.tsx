import type { Payout } from '@kestrel/contract'
import { UNDER_WAY } from '@kestrel/contract/payout-status'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

import { Loaded } from '../../app/loaded.tsx'
import { BackLink, linkClass, Page } from '../../app/page.tsx'
import { SecondLook } from '../../payout/second-look.tsx'
import { useEnvironment, useScope } from '../../app/session.ts'
import { gbp } from '../../format/money.ts'
import { Card } from '../../parts/card.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { StatusPill } from '../../parts/status-pill.tsx'
import { isNotFound } from '../../server/client.ts'
import { payoutQuery, timelineQuery } from '../../server/queries.ts'
import { NotHere } from '../../shell/not-here.tsx'
import { PayoutActions } from './payout-actions.tsx'
import { PayoutDeliveries } from './payout-deliveries.tsx'
import { PayoutFacts } from '../../payout/payout-facts.tsx'
import { WhatHappened } from '../../payout/what-happened.tsx'
import { WhatWentWrong } from '../../payout/what-went-wrong.tsx'

/** A payout under way is also read again this often, in case the stream is broken. */
const ASK_AGAIN_MS = 5_000

export function PayoutPage() {
  const { id } = useParams({ from: '/inside/payouts/$id' })
  const scope = useScope()
  const query = useQuery({
    ...payoutQuery(scope, id),
    refetchInterval: ({ state }) =>
      state.data !== undefined && UNDER_WAY.has(state.data.status) ? ASK_AGAIN_MS : false,
  })
  const payout = query.data
  useTimelineFollows(id, payout?.updated_at)
  const isMissing = isNotFound(query.error)
  const title = payout === undefined ? 'Payout' : `${gbp(payout.amount_gbp)} to ${payout.recipient.name}`
  return (
    <Page
      title={title}
      heading={<span className="num wrap-anywhere">{title}</span>}
      back={<BackLink to="/payouts">Payouts</BackLink>}
      sub={payout === undefined ? undefined : <UnderTitle payout={payout} />}
      actions={payout === undefined ? undefined : <PayoutActions payout={payout} />}
    >
      {isMissing ? <Missing /> : <Loaded query={query}>{(found) => <Body payout={found} />}</Loaded>}
    </Page>
  )
}

/** Reads the timeline again whenever `updated_at` of the payout changes. */
function useTimelineFollows(id: string, updatedAt: string | undefined): void {
  const client = useQueryClient()
  const { slug, environment } = useScope()
  const seen = useRef(updatedAt)
  useEffect(() => {
    const isNews = seen.current !== undefined && seen.current !== updatedAt
    seen.current = updatedAt
    if (isNews) void client.invalidateQueries(timelineQuery({ slug, environment }, id))
  }, [client, slug, environment, id, updatedAt])
}

function UnderTitle({ payout }: { payout: Payout }) {
  return (
    <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
      <StatusPill status={payout.status} />
      <Copyable text={payout.id} what="payout id" />
    </span>
  )
}

function Missing() {
  return (
    <NotHere what="payout" all={{ to: '/payouts', label: 'All payouts' }}>
      A payout belongs to one environment: switch, or check the id.
    </NotHere>
  )
}

function Body({ payout }: { payout: Payout }) {
  const environment = useEnvironment()
  return (
    <>
      <WhatWentWrong payout={payout} />
      <SecondLook warnings={payout.warnings ?? []} isPast />
      <div className="grid items-start gap-4 lg:grid-cols-[1fr_24rem]">
        <Card title="What happened">
          <WhatHappened payout={payout} />
        </Card>
        <Card title="Details">
          <PayoutFacts payout={payout} />
        </Card>
      </div>
      <PayoutDeliveries payoutId={payout.id} />
      <Card
        title="For developers"
        action={
          <Link to="/logs" search={{ q: payout.id, from: 'everywhere' }} className={linkClass}>
            Requests about this payout
          </Link>
        }
      >
        <CodeBlock
          what="curl command"
          code={`curl ${location.origin}/v1/payouts/${payout.id} \\\n  -H "Authorization: Bearer $KEY"   # a ${environment} key`}
        />
      </Card>
    </>
  )
}
