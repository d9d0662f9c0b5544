import { Link } from '@tanstack/react-router'

import { linkClass } from '../../app/page.tsx'
import { actionWords } from '../../app/words.ts'
import { IconButton } from '../../parts/button.tsx'
import { Fact, Facts } from '../../parts/card.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { Time } from '../../parts/time.tsx'
import type { Activity } from '../../server/shapes.ts'
import { RequestLine, StatusCode } from './request-line.tsx'

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

export function RequestPanel({ entry, onClose }: { entry: Activity; onClose: () => void }) {
  return (
    <aside
      aria-label="Request"
      className="fixed inset-0 z-40 overflow-y-auto border-line bg-surface p-5 lg:sticky lg:top-[calc(var(--bars)+1rem)] lg:z-0 lg:max-h-[calc(100dvh-var(--bars)-2rem)] lg:w-96 lg:shrink-0 lg:rounded-card lg:border"
    >
      <div className="mb-2 flex items-center justify-between">
        <h2 className="font-semibold">{actionWords(entry.action)}</h2>
        <IconButton icon="cross" label="Close panel" onClick={onClose} />
      </div>
      <p className="mb-3 flex items-center gap-2">
        <StatusCode status={entry.status} />
        <RequestLine entry={entry} />
      </p>
      <Facts>
        <Fact term="When">
          <Time at={entry.at} as="full" />
        </Fact>
        <Fact term="By">{entry.by}</Fact>
        {entry.environment === null ? null : <Fact term="Environment">{entry.environment}</Fact>}
        {entry.duration_ms === null ? null : <Fact term="Took">{entry.duration_ms} ms</Fact>}
        {entry.ip === null ? null : <Fact term="From">{entry.ip}</Fact>}
        {entry.request_id === null ? null : (
          <Fact term="Request id">
            <Copyable text={entry.request_id} what="request id" />
          </Fact>
        )}
        {entry.detail === null ? null : (
          <Fact term="About">
            {UUID.test(entry.detail) && entry.action.startsWith('payout') ? (
              <Link to="/payouts/$id" params={{ id: entry.detail }} className={linkClass}>
                The payout
              </Link>
            ) : (
              entry.detail
            )}
          </Fact>
        )}
      </Facts>
      {entry.method === null || entry.path === null ? null : (
        <div className="mt-4">
          <CodeBlock what="curl command" code={curlOf(entry.method, entry.path)} />
        </div>
      )}
    </aside>
  )
}

function curlOf(method: string, path: string): string {
  const verb = method === 'GET' ? '' : `-X ${method} `
  return `curl ${verb}${location.origin}${path} \\\n  -H "Authorization: Bearer $KEY"`
}
