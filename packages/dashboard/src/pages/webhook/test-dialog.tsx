import type { WebhookEndpoint, WebhookTestResult } from '@kestrel/contract'
import { useState } from 'react'

import { useEnvironment } from '../../app/session.ts'
import { useAction } from '../../app/use-action.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { SelectField } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { testEndpoint } from '../../server/webhooks.ts'
import { isGood, outcomeWords } from '../../webhooks/delivery-words.ts'
import { TEST_TYPES } from '../../webhooks/endpoint-draft.ts'
import { headerLines, pretty } from '../../webhooks/texts.ts'

/** One attempt, made while somebody waits. It is not kept. */
export function TestDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const environment = useEnvironment()
  const [type, setType] = useState('ping')
  const act = useAction(() => testEndpoint(environment, endpoint.id, type))
  return (
    <Dialog
      title="Send a test event"
      description="One attempt, signed like any other, about a payout that does not exist. It is not kept and not tried again."
      isOpen
      onClose={onClose}
      width="wide"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!act.isPending) act.mutate(undefined)
        }}
      >
        <SelectField label="Type" value={type} onChange={(event) => setType(event.target.value)}>
          {TEST_TYPES.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </SelectField>
        <div role="status" className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-3">
          {act.data === undefined || act.isPending ? null : <Answer result={act.data} />}
        </div>
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" busy={act.isPending ? 'Waiting for the answer…' : false}>
            Send test event
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function Answer({ result }: { result: WebhookTestResult }) {
  return (
    <>
      <p className={`flex items-center gap-2 font-medium ${isGood(result) ? 'text-ok' : 'text-bad'}`}>
        <Icon name={isGood(result) ? 'check' : 'alert'} />
        {outcomeWords(result)} <span className="num font-normal text-muted">in {result.ms} ms</span>
      </p>
      {result.answer === '' ? (
        <p className="text-sm text-muted">The answer had no body.</p>
      ) : (
        <CodeBlock what="answer" code={result.answer} />
      )}
      <details>
        <summary className="cursor-pointer font-medium">What was sent</summary>
        <div className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-2">
          <CodeBlock what="headers" code={headerLines(result.headers)} />
          <CodeBlock what="body" code={pretty(result.body)} />
        </div>
      </details>
    </>
  )
}
