import { useEnvironment } from '../../app/session.ts'
import { linkClass } from '../../app/page.tsx'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { EmptyState } from '../../parts/states.tsx'

const SAMPLE = `POST /kestrel
webhook-id: 01a19b8f-5d1f-7c3e-a2b0-6f1d0a9c5e45
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

{ "type": "payout.completed", "data": { "status": "completed", … } }`

/** What a webhook is for, and how to get the first. */
export function NoEndpoints({ onAdd }: { onAdd?: () => void }) {
  const environment = useEnvironment()
  return (
    <EmptyState icon="webhooks" title="Hear what happens instead of asking">
      <p>
        Add the address of your program, and it gets a signed request within about a second when a payout completes,
        fails or comes back, when money arrives, and when the wallet runs low. What it misses is tried again for three
        days.
      </p>
      <CodeBlock what="sample webhook" code={SAMPLE} />
      <p>
        {environment === 'sandbox'
          ? 'To begin, use http://localhost with a receiver on your machine, and send it a test from here.'
          : 'Try it in sandbox first: live events are about real money.'}{' '}
        <a href="/docs#tag/webhooks" className={linkClass}>
          Read the documentation
        </a>
      </p>
      {onAdd === undefined ? null : (
        <Button kind="primary" icon="plus" onClick={onAdd}>
          Add endpoint
        </Button>
      )}
    </EmptyState>
  )
}
