import type { ActivityEntry } from '@kestrel/contract'

import { ActivityDetail } from '../../activity/activity-detail.tsx'
import { EnvironmentBadge } from '../../activity/environment-badge.tsx'
import { actionWords } from '../../activity/action-words.ts'
import { Fact, Facts } from '../../parts/card.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { Time } from '../../parts/time.tsx'
import { RequestLine, StatusCode } from './request-line.tsx'

export function RequestPanel({ entry, onClose }: { entry: ActivityEntry; onClose: () => void }) {
  return (
    <SidePanel label="Request" onClose={onClose} head={<h2 className="font-semibold">{actionWords(entry.action)}</h2>}>
      <p className="mb-3 flex items-center gap-2">
        <StatusCode status={entry.status} />
        <EnvironmentBadge environment={entry.environment} />
        <RequestLine entry={entry} />
      </p>
      <Facts>
        <Fact term="When">
          <Time at={entry.at} as="full" />
        </Fact>
        <Fact term="By">{entry.by}</Fact>
        {entry.duration_ms === null ? null : <Fact term="Took">{entry.duration_ms} ms</Fact>}
        {entry.ip === null ? null : <Fact term="From">{entry.ip}</Fact>}
        {entry.request_id === null ? null : (
          <Fact term="Request id">
            <Copyable text={entry.request_id} what="request id" />
          </Fact>
        )}
        {entry.detail === null ? null : (
          <Fact term="About">
            <ActivityDetail entry={entry} />
          </Fact>
        )}
      </Facts>
      {entry.method === null || entry.path === null ? null : (
        <div className="mt-4">
          <CodeBlock what="curl command" code={curlOf(entry.method, entry.path)} />
        </div>
      )}
    </SidePanel>
  )
}

function curlOf(method: string, path: string): string {
  const verb = method === 'GET' ? '' : `-X ${method} `
  return `curl ${verb}${location.origin}${path} \\\n  -H "Authorization: Bearer $KEY"`
}
