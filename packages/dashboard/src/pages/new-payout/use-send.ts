// Sending: in sandbox at once, in live with an emailed code. Never by itself, never twice.
import type { CreatePayoutRequest, Payout } from '@kestrel/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'

import { useScope } from '../../app/session.ts'
import { gbp, onePercentMore } from '../../format/money.ts'
import { say } from '../../parts/toasts.tsx'
import { ApiError } from '../../server/client.ts'
import { askForConfirmCode, createPayout } from '../../server/payouts.ts'
import { under } from '../../server/queries.ts'
import { closeKey, markSent, openKey } from './payout-key.ts'
import { outcomeOf, type SendOutcome } from './send-outcome.ts'

interface Order {
  readonly body: CreatePayoutRequest
  /** What the summary said the wallet would send. */
  readonly quotedUsdc: string | null
}

interface Attempt extends Order {
  readonly code: string | null
}

const CHANGED = ['payouts', 'summary', 'recent', 'balance', 'days', 'recipients', 'usage']

function useArrived(): (payout: Payout) => void {
  const scope = useScope()
  const client = useQueryClient()
  const navigate = useNavigate()
  return (payout) => {
    closeKey(scope)
    client.setQueryData(under(scope, 'payout', payout.id), payout)
    for (const name of CHANGED) void client.invalidateQueries({ queryKey: under(scope, name) })
    if (payout.status !== 'failed') say(`${gbp(payout.amount_gbp)} to ${payout.recipient.name} is on its way.`)
    void navigate({ to: '/payouts/$id', params: { id: payout.id }, replace: true })
  }
}

/** The ref, and not only the state, because two clicks can come before the page is drawn again. */
function useOneAtATime() {
  const isUnderWay = useRef(false)
  return {
    start: (run: () => void) => {
      if (isUnderWay.current) return
      isUnderWay.current = true
      run()
    },
    end: () => {
      isUnderWay.current = false
    },
  }
}

const isSame = (one: Order | null, other: Order) => JSON.stringify(one?.body) === JSON.stringify(other.body)

export function useSend(onOutcome: (outcome: SendOutcome | null) => void) {
  const { environment } = useScope()
  const { start, end } = useOneAtATime()
  const [order, setOrder] = useState<Order | null>(null)
  // A code that was right belongs to this key from then on: a second try carries it again.
  const [lastCode, setLastCode] = useState<string | null>(null)
  const attempt = useAttempt((outcome, tried) => {
    const wasDialogOpen = confirm.data !== undefined
    if (outcome.kind !== 'code') confirm.reset()
    else setLastCode(null)
    if (outcome.kind === 'code' && !wasDialogOpen) confirm.mutate(tried)
    else onOutcome(outcome)
  }, end)
  const confirm = useMutation({
    mutationFn: ({ body }: Order) => askForConfirmCode(environment, body),
    onSuccess: () => attempt.reset(),
    onError: (error) =>
      onOutcome(error instanceof ApiError ? { kind: 'refused', error } : { kind: 'not_sent', requestId: null }),
    onSettled: end,
  })
  const begin = (run: () => void) =>
    start(() => {
      onOutcome(null)
      run()
    })
  return {
    isSending: attempt.isPending || confirm.isPending,
    isConfirming: attempt.isPending,
    codeSent: confirm.data,
    codeProblem: attempt.error !== null && outcomeOf(attempt.error).kind === 'code' ? attempt.error : null,
    send: (next: Order) =>
      begin(() => {
        setOrder(next)
        if (environment === 'sandbox') attempt.mutate({ ...next, code: null })
        else if (lastCode !== null && isSame(order, next)) attempt.mutate({ ...next, code: lastCode })
        else confirm.mutate(next)
      }),
    enterCode: (code: string) =>
      begin(() => {
        setLastCode(code)
        if (order !== null) attempt.mutate({ ...order, code })
      }),
    resend: () => begin(() => order !== null && confirm.mutate(order)),
    goBack: () => {
      confirm.reset()
      attempt.reset()
    },
  }
}

/** One POST with the key of the form. */
function useAttempt(onRefused: (outcome: SendOutcome, tried: Attempt) => void, onSettled: () => void) {
  const scope = useScope()
  const arrived = useArrived()
  return useMutation({
    mutationFn: ({ body, quotedUsdc, code }: Attempt) => {
      markSent(scope)
      return createPayout({
        environment: scope.environment,
        body: code === null ? body : { ...body, confirm_code: code },
        idempotencyKey: openKey(scope).key,
        mostUsdc: quotedUsdc === null ? null : onePercentMore(quotedUsdc),
      })
    },
    onSuccess: arrived,
    onError: (error, tried) => onRefused(outcomeOf(error), tried),
    onSettled,
  })
}
