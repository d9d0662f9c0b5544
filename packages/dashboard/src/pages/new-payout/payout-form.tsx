import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useForm, type UseFormReturn } from 'react-hook-form'

import { useScope, useSession } from '../../app/session.ts'
import { gbp, isMore, readAmount } from '../../format/money.ts'
import { splitName } from '../../format/people.ts'
import type { ApiError } from '../../server/client.ts'
import { balanceQuery } from '../../server/queries.ts'
import { AmountStep } from './amount-step.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import {
  amountProblem,
  type Draft,
  EMPTY,
  fieldsNamedIn,
  fullName,
  type Limits,
  requestOf,
  WHO_FIELDS,
} from './draft.ts'
import { FormStep } from './form-step.tsx'
import { keepDraft, keptDraft } from './kept-draft.ts'
import { openKey } from './payout-key.ts'
import { ReviewStep } from './review-step.tsx'
import { SummaryCard } from './summary-card.tsx'
import { type LiveQuote, useQuote } from './use-quote.ts'
import { type Sender, useSend } from './use-send.ts'
import { WhoStep } from './who-step.tsx'

interface FormProps {
  readonly limits: Limits
  readonly start: {
    readonly name: string | undefined
    readonly last4: string | undefined
    readonly amount: string | undefined
    readonly reference: string | undefined
  }
  readonly onStartAgain: () => void
}

function startingDraft({ name, amount, reference }: FormProps['start']): Draft {
  const { first, last } = splitName(name ?? '')
  return { ...EMPTY, firstName: first, lastName: last, amount: amount ?? '', reference: reference ?? '' }
}

/** Where the form begins: with what was typed into it before, or with what the link asks for. */
function useBeginning(start: FormProps['start']) {
  const scope = useScope()
  const { email } = useSession()
  const [beginning] = useState(() => {
    const owner = JSON.stringify([email, openKey(scope).key, start])
    return keptDraft(owner) ?? { owner, draft: startingDraft(start), step: 1, last4: start.last4 }
  })
  return beginning
}

export function PayoutForm({ limits, start, onStartAgain }: FormProps) {
  const beginning = useBeginning(start)
  const form = useForm<Draft>({ defaultValues: beginning.draft, mode: 'onTouched' })
  const [step, setStep] = useState(beginning.step)
  const [last4, setLast4] = useState(beginning.last4)
  const typed = form.watch('amount')
  // What could not be sent has no price either.
  const live = useQuote(amountProblem(typed, limits) === true ? typed : '')
  const draft = form.watch()
  useEffect(() => keepDraft({ owner: beginning.owner, draft, step, last4 }))
  const sender = useSend((error) => pointOut(form, error, setStep))
  const next = async (fields: readonly (keyof Draft)[], to: number) => {
    if (await form.trigger([...fields], { shouldFocus: true })) setStep(to)
  }
  const change = (to: number) => {
    sender.change()
    setStep(to)
  }
  const sentence = readAmount(draft.amount)
  const shared = { current: step, isLocked: sender.isSending, onChange: change }
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[1fr_20rem]">
      <ol className="grid gap-4">
        <FormStep {...shared} number={1} title="Who" said={fullName(draft)}>
          <WhoStep form={form} last4={last4} onLast4={setLast4} onDone={() => void next(WHO_FIELDS, 2)} />
        </FormStep>
        <FormStep {...shared} number={2} title="How much" said={sentence === null ? '' : gbp(sentence)}>
          <AmountStep form={form} limits={limits} onDone={() => void next(['amount', 'reference'], 3)} />
        </FormStep>
        <FormStep {...shared} number={3} title="Review and send" said="">
          <Sending draft={draft} live={live} sender={sender} onStartAgain={onStartAgain} />
        </FormStep>
      </ol>
      <SummaryCard live={live} />
    </div>
  )
}

interface SendingProps {
  readonly draft: Draft
  readonly live: LiveQuote
  readonly sender: Sender
  readonly onStartAgain: () => void
}

function Sending({ draft, live, sender, onStartAgain }: SendingProps) {
  const balance = useQuery(balanceQuery(useScope())).data
  const { outcome, isSending, send, confirming } = sender
  // Nobody sends what they have not seen the price of.
  const quote = live.isCurrent ? live.quote : undefined
  const isPricing = quote === undefined && live.error === null
  return (
    <>
      <ReviewStep
        draft={draft}
        quote={quote}
        isShort={quote !== undefined && balance !== undefined && isMore(quote.wallet_sends_usdc, balance.usdc)}
        outcome={outcome}
        busy={isSending ? 'Sending…' : isPricing ? 'Getting the price…' : false}
        onSend={() => {
          if (quote !== undefined) send({ body: requestOf(draft), quotedUsdc: quote.wallet_sends_usdc })
        }}
        onPriceAgain={quote === undefined && !isPricing && !isSending ? live.askAgain : null}
        onStartAgain={onStartAgain}
      />
      {confirming.sent === null ? null : <ConfirmDialog sent={confirming.sent} confirming={confirming} />}
    </>
  )
}

/** Leads back to the step with the fields that the server did not accept; false when it named none. */
function pointOut(form: UseFormReturn<Draft>, error: ApiError, onStep: (step: number) => void): boolean {
  const fields = fieldsNamedIn(error.details)
  if (fields.length === 0) return false
  for (const field of fields) form.setError(field, { message: error.message })
  onStep(fields.some((field) => field !== 'amount' && field !== 'reference') ? 1 : 2)
  return true
}
