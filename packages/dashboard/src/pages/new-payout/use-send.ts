// Sending: in sandbox at once, in live with an emailed code. Never by itself, never twice.
import type { ConfirmCodeSent, CreatePayoutRequest, Payout } from '@kestrel/contract'
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
  readonly quotedUsdc: string
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

/** The mail with the code. It stays while another is asked for: until there is a new code, the old one works. */
function useCodeByMail(onSettled: () => void) {
  const { environment } = useScope()
  const [sent, setSent] = useState<ConfirmCodeSent | null>(null)
  const asking = useMutation({
    mutationFn: ({ body }: Order) => askForConfirmCode(environment, body),
    onSettled,
  })
  return {
    sent,
    isAsking: asking.isPending,
    askError: asking.error,
    ask: (order: Order, { onSent, onError }: { onSent: () => void; onError: (error: Error) => void }) =>
      asking.mutate(order, {
        onSuccess: (mail) => {
          setSent(mail)
          onSent()
        },
        onError,
      }),
    forget: () => {
      setSent(null)
      asking.reset()
    },
  }
}

/** `onRefused` says whether it has shown by itself what was wrong; otherwise the outcome is kept to be shown. */
export function useSend(onRefused: (error: ApiError) => boolean) {
  const { environment } = useScope()
  const { start, end } = useOneAtATime()
  const [order, setOrder] = useState<Order | null>(null)
  const [outcome, setOutcome] = useState<SendOutcome | null>(null)
  // A code that was right belongs to this key from then on: a second try carries it again.
  const [lastCode, setLastCode] = useState<string | null>(null)
  const { ask, forget, ...mail } = useCodeByMail(end)
  const settle = (next: SendOutcome) => setOutcome(next.kind === 'refused' && onRefused(next.error) ? null : next)
  const attempt = useAttempt((next, tried) => {
    if (next.kind === 'code') setLastCode(null)
    else forget()
    if (next.kind === 'code' && mail.sent === null) askForCode(tried)
    else settle(next)
  }, end)
  const askForCode = (wanted: Order) =>
    ask(wanted, {
      onSent: attempt.reset,
      onError: (error) => {
        // An open dialog says it itself.
        if (mail.sent === null) settle(error instanceof ApiError ? { kind: 'refused', error } : NOT_SENT)
      },
    })
  const begin = (run: () => void) =>
    start(() => {
      setOutcome(null)
      run()
    })
  const codeError = attempt.error !== null && outcomeOf(attempt.error).kind === 'code' ? attempt.error : null
  return {
    outcome,
    isSending: attempt.isPending || mail.isAsking,
    /** The last thing known stays in view, unless it was about details that are being changed now. */
    change: () => setOutcome(outcome?.kind === 'unknown' || outcome?.kind === 'reused' ? outcome : null),
    send: (next: Order) =>
      begin(() => {
        setOrder(next)
        if (environment === 'sandbox') attempt.mutate({ ...next, code: null })
        else if (lastCode !== null && isSame(order, next)) attempt.mutate({ ...next, code: lastCode })
        else askForCode(next)
      }),
    confirming: {
      ...mail,
      codeError,
      isPaying: attempt.isPending,
      onCode: (code: string) =>
        begin(() => {
          setLastCode(code)
          if (order !== null) attempt.mutate({ ...order, code })
        }),
      onResend: () => begin(() => order !== null && askForCode(order)),
      onClose: () => {
        // The payout has left: whoever closes now would not learn what became of it.
        if (attempt.isPending) return
        forget()
        attempt.reset()
        end()
      },
    },
  }
}

export type Sender = ReturnType<typeof useSend>

/** A code that could not be asked for has moved nothing. */
const NOT_SENT: SendOutcome = { kind: 'not_sent', requestId: null }

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
        mostUsdc: onePercentMore(quotedUsdc),
      })
    },
    onSuccess: arrived,
    onError: (error, tried) => onRefused(outcomeOf(error), tried),
    onSettled,
  })
}
