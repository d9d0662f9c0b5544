import { useState } from 'react'

import { useEnvironment } from '../app/session.ts'
import { describeChangeFailure } from '../app/failure.ts'
import { useAction } from '../app/use-action.ts'
import { Button } from '../parts/button.tsx'
import { Dialog, DialogActions } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { complain } from '../parts/toasts.tsx'
import { ApiError } from '../server/client.ts'
import { ENDPOINTS } from '../server/webhook-queries.ts'
import { bodyOf, type EndpointDraft, mistakeIn } from './endpoint-draft.ts'
import { EventsField } from './events-field.tsx'

interface Saving<Output> {
  readonly start: EndpointDraft
  readonly run: (body: ReturnType<typeof bodyOf>) => Promise<Output>
  readonly onDone: (output: Output) => void
}

interface FormProps<Output> extends Saving<Output> {
  readonly title: string
  readonly description: string
  readonly verb: string
  readonly busy: string
  readonly onClose: () => void
}

/** Makes an endpoint, or changes one. */
export function EndpointForm<Output>({ title, description, verb, busy, onClose, ...saving }: FormProps<Output>) {
  const environment = useEnvironment()
  const { draft, change, mistakes, isPending, submit } = useEndpointForm(saving)
  // What was asked for may be made already, and its secret is shown once: somebody has to be there.
  const leave = () => (isPending ? undefined : onClose())
  return (
    <Dialog title={title} description={description} isOpen onClose={leave} width="wide">
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Field
          label="Address"
          type="url"
          inputMode="url"
          autoComplete="off"
          maxLength={2_000}
          placeholder="https://hooks.example.com/kestrel"
          hint={environment === 'live' ? 'https, where the internet can reach it.' : SANDBOX_HINT}
          value={draft.url}
          error={mistakes.url}
          onChange={(event) => change({ ...draft, url: event.target.value })}
        />
        <Field
          label="Description"
          optional
          maxLength={200}
          placeholder="The shop’s order service"
          value={draft.description}
          onChange={(event) => change({ ...draft, description: event.target.value })}
        />
        <EventsField draft={draft} onChange={change} error={mistakes.events} />
        {environment === 'live' ? <p className="text-sm text-muted">{ADMINS_ARE_TOLD}</p> : null}
        <DialogActions>
          <Button disabled={isPending} onClick={leave}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" busy={isPending ? busy : false}>
            {verb}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Whether an address is allowed only the server knows: its words stand beside the field until another one is typed. */
function useEndpointForm<Output>({ start, run, onDone }: Saving<Output>) {
  const [draft, change] = useState(start)
  const [wasTried, setTried] = useState(false)
  const [refused, setRefused] = useState<{ url: string; words: string } | null>(null)
  const act = useAction(run, {
    refresh: [ENDPOINTS],
    onDone,
    onFailure: (error) => {
      if (isAboutAddress(error)) return setRefused({ url: draft.url, words: error.message })
      const { message, requestId } = describeChangeFailure(error)
      complain(message, requestId)
    },
  })
  const mistake = wasTried ? mistakeIn(draft) : null
  const wordsOfServer = refused?.url === draft.url ? refused.words : undefined
  return {
    draft,
    change,
    isPending: act.isPending,
    mistakes: {
      url: mistake?.field === 'url' ? mistake.words : wordsOfServer,
      events: mistake?.field === 'events' ? mistake.words : undefined,
    },
    submit: () => {
      setTried(true)
      if (mistakeIn(draft) === null && !act.isPending) act.mutate(bodyOf(draft))
    },
  }
}

const SANDBOX_HINT = 'https, where the internet can reach it. In a sandbox on your own machine also http://localhost.'
const ADMINS_ARE_TOLD =
  'Whoever reads these webhooks learns of every live payout: every admin gets a mail when an endpoint is made or moved.'

function isAboutAddress(error: Error): error is ApiError {
  if (!(error instanceof ApiError)) return false
  const { fields } = error.details
  const isNamed = Array.isArray(fields) && fields.some((field) => String(field).startsWith('url'))
  return error.code === 'endpoint_not_allowed' || (error.code === 'invalid_request' && isNamed)
}
