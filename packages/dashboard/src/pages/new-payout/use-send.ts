// Sending: in sandbox at once, in live with an emailed code. Never by itself, never twice.
import type { Payout } from '@kestrel/contract'
import { UNDONE } from '@kestrel/contract/payout-status'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'

import { useScope } from '../../app/session.ts'
import { gbp, onePercentMore } from '../../format/money.ts'
import { say } from '../../parts/toasts.tsx'
import type { ApiError } from '../../server/client.ts'
import { askForConfirmCode, createPayout } from '../../server/payouts.ts'
import { AFTER_OWN_CHANGE, under } from '../../server/queries.ts'
import { closeKey, markSent, openKey } from './payout-key.ts'
import { outcomeOf } from './send-outcome.ts'
import { AT_REST, nextState, type Order, type SendEvent } from './send-state.ts'

/** `showInForm` says whether the form could show what was refused beside its fields. */
export function useSend(showInForm: (error: ApiError) => boolean) {
  const requests = useRequests()
  const arrive = useArrive()
  const { environment } = useScope()
  const [state, setState] = useState(AT_REST)
  // The ref, and not only the state, because two clicks can come before the page is drawn again.
  const current = useRef(state)
  const handle = (event: SendEvent): void => {
    const next = nextState(current.current, event)
    if (next === current.current) return
    current.current = next
    setState(next)
    if (next.name === 'asking') void ask(next.order)
    if (next.name === 'paying') void pay(next.order, next.code)
    if (next.name === 'resting' && next.outcome?.kind === 'refused' && showInForm(next.outcome.error)) {
      handle({ type: 'shown in the form' })
    }
  }
  const ask = (order: Order) =>
    requests.ask(order).then(
      (mail) => handle({ type: 'mailed', order, mail }),
      (error: Error) => handle({ type: 'not mailed', order, error }),
    )
  const created = (payout: Payout) => {
    handle({ type: 'created' })
    arrive(payout)
  }
  const pay = (order: Order, code: string | null) =>
    requests
      .pay({ order, code })
      .then(created, (error: Error) => handle({ type: 'not created', outcome: outcomeOf(error) }))
  return {
    state,
    isSending: state.name === 'asking' || state.name === 'paying' || state.name === 'created',
    send: (order: Order) => handle({ type: 'send', order, needsCode: environment === 'live' }),
    change: () => handle({ type: 'change' }),
    enterCode: (code: string) => handle({ type: 'code', code }),
    resend: () => handle({ type: 'resend' }),
    close: () => handle({ type: 'close' }),
  }
}

export type Sender = ReturnType<typeof useSend>

/** The two requests. Each POST for the payout carries the key of the form. */
function useRequests() {
  const scope = useScope()
  const ask = useMutation({ mutationFn: ({ body }: Order) => askForConfirmCode(scope.environment, body) })
  const pay = useMutation({
    mutationFn: ({ order: { body, quotedUsdc }, code }: { order: Order; code: string | null }) => {
      markSent(scope)
      return createPayout({
        environment: scope.environment,
        body: code === null ? body : { ...body, confirm_code: code },
        idempotencyKey: openKey(scope).key,
        maxWalletDebitUsdc: onePercentMore(quotedUsdc),
      })
    },
  })
  return { ask: ask.mutateAsync, pay: pay.mutateAsync }
}

/** There is a payout: the key has done its work, and the page shows what was made. */
function useArrive(): (payout: Payout) => void {
  const scope = useScope()
  const client = useQueryClient()
  const navigate = useNavigate()
  return (payout) => {
    closeKey(scope)
    for (const name of AFTER_OWN_CHANGE) void client.invalidateQueries({ queryKey: under(scope, name) })
    client.setQueryData(under(scope, 'payout', payout.id), payout)
    if (!UNDONE.has(payout.status)) say(`${gbp(payout.amount_gbp)} to ${payout.recipient.name} is on its way.`)
    void navigate({ to: '/payouts/$id', params: { id: payout.id }, replace: true })
  }
}
