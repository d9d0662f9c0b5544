import type { Environment } from '@kestrel/contract'
import { useMutation } from '@tanstack/react-query'

import { Button } from '../parts/button.tsx'
import { CodeBlock } from '../parts/code-block.tsx'
import { SecretBox } from '../parts/secret-box.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { tryKey } from '../server/client.ts'
import { balanceCurl, envFile, nodeSample, pythonSample } from './samples.ts'

interface SecretProps {
  readonly secret: string
  readonly environment: Environment
  readonly isKept: boolean
  readonly onKept: () => void
}

export function KeySecret({ secret, environment, isKept, onKept }: SecretProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <SecretBox
        secret={secret}
        what="secret key"
        file={{ name: `kestrel-${environment}.env`, text: envFile(secret) }}
        isKept={isKept}
        onKept={onKept}
      />
      <Tabs
        label="Sample code"
        tabs={[
          { id: 'curl', label: 'curl', content: <CodeBlock what="curl sample" code={balanceCurl(secret)} /> },
          { id: 'node', label: 'Node', content: <CodeBlock what="Node sample" code={nodeSample(secret)} /> },
          { id: 'python', label: 'Python', content: <CodeBlock what="Python sample" code={pythonSample(secret)} /> },
        ]}
      />
      <TestRequest secret={secret} />
    </div>
  )
}

function TestRequest({ secret }: { secret: string }) {
  const attempt = useMutation({ mutationFn: () => tryKey(secret) })
  return (
    <div>
      <Button busy={attempt.isPending ? 'Asking…' : false} onClick={() => attempt.mutate()}>
        Run a test request
      </Button>
      <div role="status" className="mt-3">
        {attempt.error === null ? null : <p className="text-bad">The server did not answer. Try again.</p>}
        {attempt.data === undefined ? null : (
          <>
            <p className="mb-2">
              GET /v1/balance{' '}
              <strong className={attempt.data.status === 200 ? 'text-ok' : 'text-bad'}>{attempt.data.status}</strong>{' '}
              <span className="num text-muted">in {attempt.data.ms} ms</span>
            </p>
            <CodeBlock what="answer" code={JSON.stringify(attempt.data.body, null, 2)} />
          </>
        )}
      </div>
    </div>
  )
}
