import { useMutation, useQueryClient } from '@tanstack/react-query'

import { complain, say } from '../parts/toasts.tsx'
import { SESSION, under } from '../server/queries.ts'
import { describeChangeFailure } from './failure.ts'
import { useScope } from './session.ts'

export interface ActionOptions<Input, Output> {
  /** The short message when it is done; null shows none. */
  readonly done?: string | ((output: Output) => string | null)
  /** The names of what must be read again. */
  readonly refresh?: readonly string[]
  /** Whether it may change the signed-in person's own name, role or businesses. */
  readonly touchesSession?: boolean
  readonly onDone?: (output: Output, input: Input) => void
  /** Without it a failure is shown as a message that stays. */
  readonly onFailure?: (error: Error) => void
}

/** One request that changes something. Nothing on the page changes before the server has answered. */
export function useAction<Input, Output>(
  run: (input: Input) => Promise<Output>,
  { done, refresh = [], touchesSession = false, onDone, onFailure }: ActionOptions<Input, Output> = {},
) {
  const client = useQueryClient()
  const scope = useScope()
  const stale = [...refresh.map((name) => under(scope, name)), ...(touchesSession ? [SESSION] : [])]
  const readAgain = () => Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey })))
  return useMutation({
    mutationFn: run,
    onSuccess: async (output, input) => {
      const words = typeof done === 'function' ? done(output) : done
      if (typeof words === 'string') say(words)
      onDone?.(output, input)
      await readAgain()
    },
    onError: (error) => {
      // A change that failed may have been made all the same, or failed because the page shows something old.
      void readAgain()
      if (onFailure !== undefined) return onFailure(error)
      const { message, requestId } = describeChangeFailure(error)
      complain(message, requestId)
    },
  })
}
