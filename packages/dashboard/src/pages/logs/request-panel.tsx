import type { ActivityDetail as Detail, ActivityEntry } from '@kestrel/contract'
import { requestTitle } from '@kestrel/contract/action-words'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { PayoutLink, payoutOf } from '../../activity/activity-detail.tsx'
import { EnvironmentBadge } from '../../activity/environment-badge.tsx'
import { Loaded } from '../../app/loaded.tsx'
import { useScope } from '../../app/session.ts'
import { Fact, Facts } from '../../parts/card.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { Time } from '../../parts/time.tsx'
import { activityDetailQuery } from '../../server/queries.ts'
import { KeptBody } from './kept-body.tsx'
import { RequestLine, StatusCode } from './request-line.tsx'

export function RequestPanel({ entry, onClose }: { entry: ActivityEntry; onClose: () => void }) {
  const scope = useScope()
  // What was asked in one environment is told there, wherever one looks now.
  const of = useMemo(
    () =>
      entry.environment === null ? scope : { ...scope, environment: entry.environment as typeof scope.environment },
    [scope, entry.environment],
  )
  const query = useQuery(activityDetailQuery(of, entry.id))
  return (
    <SidePanel
      label="Request"
      onClose={onClose}
      head={<h2 className="font-semibold">{requestTitle(entry.action, entry.status)}</h2>}
    >
      <p className="mb-3 flex items-center gap-2">
        <StatusCode status={entry.status} />
        <EnvironmentBadge environment={entry.environment} />
        <RequestLine entry={entry} />
      </p>
      <RequestFacts entry={entry} idempotencyKey={query.data?.idempotency_key ?? null} />
      <div className="mt-4">
        <Loaded query={query}>{(detail) => <Exchange detail={detail} />}</Loaded>
      </div>
    </SidePanel>
  )
}

function RequestFacts({ entry, idempotencyKey }: { entry: ActivityEntry; idempotencyKey: string | null }) {
  const payoutId = payoutOf(entry)
  return (
    <Facts>
      {payoutId === null ? null : (
        <Fact term="Payout">
          <PayoutLink entry={entry}>{payoutId}</PayoutLink>
        </Fact>
      )}
      {entry.detail === null || entry.detail === payoutId ? null : (
        <Fact term={entry.status !== null && entry.status >= 400 ? 'Why' : 'About'}>{entry.detail}</Fact>
      )}
      <Fact term="When">
        <Time at={entry.at} as="full" />
      </Fact>
      <Fact term="By">{entry.by}</Fact>
      {idempotencyKey === null ? null : (
        <Fact term="Idempotency key">
          <Copyable text={idempotencyKey} what="idempotency key" />
        </Fact>
      )}
      {entry.duration_ms === null ? null : <Fact term="Took">{entry.duration_ms} ms</Fact>}
      {entry.ip === null ? null : <Fact term="From">{entry.ip}</Fact>}
      {entry.request_id === null ? null : (
        <Fact term="Request id">
          <Copyable text={entry.request_id} what="request id" />
        </Fact>
      )}
    </Facts>
  )
}

function Exchange({ detail }: { detail: Detail }) {
  const { request, response, curl } = detail
  return (
    <div className="grid grid-cols-1 gap-4">
      {request === null || response === null ? (
        <p className="text-sm text-muted">
          What was asked and answered is not kept: it is older than 14 days, somebody only looked at a page, or a
          program read more than 60 times within a minute.
        </p>
      ) : (
        <>
          <KeptBody title="Request" what="request body" kept={request} />
          <KeptBody title="Answer" what="answer" kept={response} />
          <p className="text-sm text-muted">
            Stars stand for names, accounts, addresses and free text. Kept until{' '}
            {detail.kept_until === null ? null : <Time at={detail.kept_until} />}.
          </p>
        </>
      )}
      {curl === null ? null : (
        <section>
          <h3 className="mb-1.5 font-medium">As curl</h3>
          <CodeBlock what="curl command" code={curl} />
        </section>
      )}
    </div>
  )
}
