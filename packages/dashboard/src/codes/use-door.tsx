import type { DoorCodeRequest, DoorCodeSent } from '@kestrel/contract'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

import { describeChangeFailure, describeFailure } from '../app/failure.ts'
import { type ActionOptions, useAction } from '../app/use-action.ts'
import { clockTime } from '../format/dates.ts'
import { complain } from '../parts/toasts.tsx'
import { askForDoorCode } from '../server/account.ts'
import { ApiError } from '../server/client.ts'
import { CodeDialog } from './code-dialog.tsx'

interface Guarded<Output> extends Omit<ActionOptions<string | undefined, Output>, 'onFailure'> {
  /** What the code is to confirm; null when no code is needed. */
  readonly door: DoorCodeRequest | null
  /** Only the server knows whether it takes a code: it is tried without one first. */
  readonly isTriedFirst?: boolean
  /** What the button under the code says. */
  readonly verb: string
  readonly run: (code: string | undefined) => Promise<Output>
}

interface Door {
  readonly start: () => void
  readonly isPending: boolean
  /** The dialog that asks for the code, once one was mailed. It replaces the dialog that was open. */
  readonly dialog: ReactNode
}

const tell = (error: Error) => {
  const { message, requestId } = describeChangeFailure(error)
  complain(message, requestId)
}

/** An action behind a mailed code: the code is asked for first, and the action is carried out with it. */
export function useDoor<Output>({ door, isTriedFirst = false, verb, run, onDone, ...options }: Guarded<Output>): Door {
  const [sent, setSent] = useState<DoorCodeSent | null>(null)
  const ask = useMutation({ mutationFn: askForDoorCode, onSuccess: setSent })
  const act = useAction(run, {
    ...options,
    onDone: (output, code) => {
      setSent(null)
      onDone?.(output, code)
    },
    onFailure: (error) => {
      // The dialog shows this error and stays open.
      if (isAboutCode(error)) return
      if (isTriedFirst && isCodeMissing(error)) return wanted(tell)
      // The code is used up, so the dialog closes.
      setSent(null)
      tell(error)
    },
  })
  const wanted = (onError: (error: Error) => void) => {
    if (door !== null && !ask.isPending) ask.mutate(door, { onSuccess: act.reset, onError })
  }
  return {
    start: () => {
      if (act.isPending) return
      if (door === null || isTriedFirst) act.mutate(undefined)
      else wanted(tell)
    },
    isPending: ask.isPending || act.isPending,
    dialog:
      sent === null ? null : (
        <CodeDialog
          description={
            <>
              It went to {sent.sent_to} and works until {clockTime(sent.expires_at)}, for this only:{' '}
              <strong className="font-semibold text-ink">{sent.confirms}</strong>. Check that the mail says the same.
            </>
          }
          verb={verb}
          back="Cancel"
          busy={act.isPending ? 'Checking…' : false}
          codeError={isAboutCode(act.error) ? act.error : null}
          expiresAt={sent.expires_at}
          isAsking={ask.isPending}
          problem={ask.error === null ? null : describeFailure(ask.error).message}
          onCode={(code) => (act.isPending ? undefined : act.mutate(code))}
          onResend={() => wanted(() => undefined)}
          onClose={() => {
            if (act.isPending) return
            setSent(null)
            act.reset()
          }}
        />
      ),
  }
}

function isCodeMissing(error: Error): boolean {
  return error instanceof ApiError && error.code === 'confirm_code_required'
}

function isAboutCode(error: Error | null): error is ApiError {
  return error instanceof ApiError && error.code === 'code_not_accepted'
}
