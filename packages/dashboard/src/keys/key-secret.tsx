import type { Environment } from '@kestrel/contract'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'

import { Button } from '../parts/button.tsx'
import { CodeBlock } from '../parts/code-block.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { tryKey } from '../server/client.ts'
import { balanceCurl, envFile, nodeSample, pythonSample } from './samples.ts'

interface SecretProps {
  readonly secret: string
  readonly environment: Environment
  readonly isKept: boolean
  readonly onKept: () => void
}

/** The secret is shown this once. Leaving the page before it was copied or downloaded asks first. */
export function KeySecret({ secret, environment, isKept, onKept }: SecretProps) {
  useEffect(() => {
    if (isKept) return
    const guard = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', guard)
    return () => removeEventListener('beforeunload', guard)
  }, [isKept])
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="rounded-lg border border-line bg-sunken p-3">
        <p className="font-mono text-sm break-all" data-testid="secret">
          {secret}
        </p>
        <div className="mt-3 flex flex-wrap gap-2">
          <CopyButton text={secret} what="secret key" label="Copy" onCopied={onKept} />
          <Button
            icon="download"
            onClick={() => {
              download(`kestrel-${environment}.env`, envFile(secret))
              onKept()
            }}
          >
            Download .env
          </Button>
        </div>
      </div>
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

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
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
