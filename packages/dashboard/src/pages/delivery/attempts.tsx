import type { WebhookAttempt, WebhookDeliveryWithAttempts } from '@kestrel/contract'

import { CodeBlock } from '../../parts/code-block.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Time } from '../../parts/time.tsx'
import { isGood, outcomeWords } from '../../webhooks/delivery-words.ts'

/** Every attempt with what came back, the newest first. */
export function Attempts({ delivery: { attempt_list: attempts } }: { delivery: WebhookDeliveryWithAttempts }) {
  if (attempts.length === 0) return <p className="text-muted">It was not tried yet.</p>
  return (
    <ol reversed className="grid grid-cols-[minmax(0,1fr)] gap-4 divide-y divide-line">
      {attempts.toReversed().map((attempt) => (
        <li key={attempt.number} className="grid grid-cols-[minmax(0,1fr)] gap-2 not-last:pb-4">
          <Attempt attempt={attempt} />
        </li>
      ))}
    </ol>
  )
}

function Attempt({ attempt }: { attempt: WebhookAttempt }) {
  const { number, at, ms, error, answer } = attempt
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2">
        <span className={`inline-flex items-center gap-1.5 font-medium ${isGood(attempt) ? 'text-ok' : 'text-bad'}`}>
          <Icon name={isGood(attempt) ? 'check' : 'alert'} size={14} />
          {outcomeWords(attempt)}
        </span>
        {error === null ? null : <code className="font-mono text-xs text-muted">{error}</code>}
      </p>
      <p className="num text-sm text-muted">
        Attempt {number}, <Time at={at} as="full" />, {ms} ms
      </p>
      {answer === '' ? (
        <p className="text-sm text-muted">
          {attempt.status === null ? 'There was no answer.' : 'The answer had no body.'}
        </p>
      ) : (
        <CodeBlock what={`answer to attempt ${number}`} code={answer} />
      )}
    </>
  )
}
