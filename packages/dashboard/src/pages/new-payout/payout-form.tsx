import type { Quote } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useForm, type UseFormReturn } from 'react-hook-form'

import { useScope, useSession } from '../../app/session.ts'
import { gbp, isMore, lessMoney, readAmount } from '../../format/money.ts'
import { splitName } from '../../format/people.ts'
import { poundsNeeded } from '../../format/pounds.ts'
import type { ApiError } from '../../server/client.ts'
import { balanceQuery } from '../../server/queries.ts'
import { AmountStep } from './amount-step.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import {
  amountProblem,
  asksFor,
  comparedOf,
  type Draft,
  EMPTY,
  fieldsNamedIn,
  fullName,
  inFormWords,
  type Limits,
  requestOf,
  WHO_FIELDS,
} from './draft.ts'
import { FormStep } from './form-step.tsx'
import { keepDraft, keptDraft } from './kept-draft.ts'
import { openKey } from './payout-key.ts'
import { ReviewStep } from './review-step.tsx'
import { SummaryCard } from './summary-card.tsx'
import { type Pricing, useQuote } from '../../payout/use-quote.ts'
import { isAmountRefused, useNewLimits, useReadLimitsAgain } from './use-new-limits.ts'
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
  return {
    ...EMPTY,
    businessName: name ?? '',
    firstName: first,
    lastName: last,
    amount: amount ?? '',
    reference: reference ?? '',
  }
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
  // No quote is asked for an amount that could not be sent.
  const draft = form.watch()
  const pricing = useQuote(amountProblem(typed, limits) === true ? typed : '', step === 1 ? null : comparedOf(draft))
  useEffect(() => keepDraft({ owner: beginning.owner, draft, step, last4 }))
  const readLimitsAgain = useReadLimitsAgain()
  const sender = useSend((error) => {
    if (!isAmountRefused(error)) return pointOut(form, error, setStep)
    readLimitsAgain()
    return true
  })
  const isReviewed = step === 3 && !sender.isSending
  useNewLimits({ form, limits, error: pricing.error, isReviewed, onAmountStep: () => setStep(2) })
  const next = async (fields: readonly (keyof Draft)[], to: number) => {
    if (await form.trigger(fields.filter(asksFor(draft)), { shouldFocus: true })) setStep(to)
  }
  const change = (to: number) => {
    sender.change()
    setStep(to)
  }
  const sentence = readAmount(draft.amount)
  const shared = { current: step, isLocked: sender.isSending, onChange: change }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <FormStep {...shared} number={1} title="Who" said={fullName(draft)}>
          <WhoStep
            form={form}
            last4={last4}
            leastAmount={limits.min}
            onLast4={setLast4}
            onDone={() => void next(WHO_FIELDS, 2)}
          />
        </FormStep>
        <FormStep {...shared} number={2} title="How much" said={sentence === null ? '' : gbp(sentence)}>
          <AmountStep form={form} limits={limits} onDone={() => void next(['amount', 'reference'], 3)} />
        </FormStep>
        <FormStep {...shared} number={3} title="Review and send" said="">
          <Sending draft={draft} pricing={pricing} sender={sender} onStartAgain={onStartAgain} />
        </FormStep>
      </ol>
      <SummaryCard pricing={pricing} />
    </div>
  )
}

const BALANCE_MS = 10_000

/** What the wallet lacks, in pounds; null when it has enough. */
function missingPounds({ wallet_sends_usdc: sends, exchange_rate }: Quote, held: string): string | null {
  return isMore(sends, held) ? poundsNeeded(lessMoney(sends, held), exchange_rate.gbp_per_usd) : null
}

interface SendingProps {
  readonly draft: Draft
  readonly pricing: Pricing
  readonly sender: Sender
  readonly onStartAgain: () => void
}

function Sending({ draft, pricing, sender, onStartAgain }: SendingProps) {
  // Somebody may be topping up meanwhile, or paying from the same wallet.
  const balance = useQuery({ ...balanceQuery(useScope()), refetchInterval: BALANCE_MS }).data
  const { state, isSending, send } = sender
  // Nobody sends what they have not seen the price of.
  const quote = pricing.isCurrent ? pricing.quote : undefined
  const isPricing = quote === undefined && pricing.error === null
  return (
    <>
      <ReviewStep
        draft={draft}
        quote={quote}
        missing={quote === undefined || balance === undefined ? null : missingPounds(quote, balance.usdc)}
        outcome={state.name === 'resting' ? state.outcome : null}
        busy={isSending ? 'Sending…' : isPricing ? 'Getting the price…' : false}
        onSend={() => {
          if (quote !== undefined) send({ body: requestOf(draft), quotedUsdc: quote.wallet_sends_usdc })
        }}
        onPriceAgain={quote === undefined && !isPricing && !isSending ? pricing.askAgain : null}
        onStartAgain={onStartAgain}
      />
      {state.name === 'resting' || state.dialog === null ? null : (
        <ConfirmDialog dialog={state.dialog} sender={sender} />
      )}
    </>
  )
}

/** Leads back to the step with the fields that the server did not accept; false when it named none. */
function pointOut(form: UseFormReturn<Draft>, error: ApiError, onStep: (step: number) => void): boolean {
  const fields = fieldsNamedIn(error.details, form.getValues('type'))
  if (fields.length === 0) return false
  // Sort code and account number are checked as a pair, and so are both names: the error is shown at one of them.
  const said = fields.filter(
    (field) =>
      (field !== 'sortCode' || !fields.includes('accountNumber')) &&
      (field !== 'lastName' || !fields.includes('firstName')),
  )
  for (const field of said) form.setError(field, { message: inFormWords(error.message) })
  onStep(fields.some((field) => field !== 'amount' && field !== 'reference') ? 1 : 2)
  return true
}
