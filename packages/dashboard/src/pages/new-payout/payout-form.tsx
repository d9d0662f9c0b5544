import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useForm, type UseFormReturn } from 'react-hook-form'

import { useScope, useSession } from '../../app/session.ts'
import { gbp, isMore, readAmount } from '../../format/money.ts'
import { splitName } from '../../format/people.ts'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
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
import { keepDraft, keptDraft } from './kept-draft.ts'
import { openKey } from './payout-key.ts'
import { ReviewStep } from './review-step.tsx'
import type { SendOutcome } from './send-outcome.ts'
import { SummaryCard } from './summary-card.tsx'
import { type LiveQuote, useQuote } from './use-quote.ts'
import { useSend } from './use-send.ts'
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
  const next = async (fields: readonly (keyof Draft)[], to: number) => {
    if (await form.trigger([...fields], { shouldFocus: true })) setStep(to)
  }
  const sentence = readAmount(draft.amount)
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[1fr_20rem]">
      <ol className="grid gap-4">
        <Step number={1} title="Who" current={step} said={fullName(draft)} onChange={setStep}>
          <WhoStep form={form} last4={last4} onLast4={setLast4} onDone={() => void next(WHO_FIELDS, 2)} />
        </Step>
        <Step
          number={2}
          title="How much"
          current={step}
          said={sentence === null ? '' : gbp(sentence)}
          onChange={setStep}
        >
          <AmountStep form={form} limits={limits} onDone={() => void next(['amount', 'reference'], 3)} />
        </Step>
        <Step number={3} title="Review and send" current={step} said="" onChange={setStep}>
          <Sending form={form} live={live} onStep={setStep} onStartAgain={onStartAgain} />
        </Step>
      </ol>
      <SummaryCard live={live} />
    </div>
  )
}

interface SendingProps {
  readonly form: UseFormReturn<Draft>
  readonly live: LiveQuote
  readonly onStep: (step: number) => void
  readonly onStartAgain: () => void
}

function Sending({ form, live, onStep, onStartAgain }: SendingProps) {
  const [outcome, setOutcome] = useState<SendOutcome | null>(null)
  const balance = useQuery(balanceQuery(useScope())).data
  const { isSending, isConfirming, codeSent, codeProblem, send, enterCode, resend, goBack } = useSend((next) => {
    setOutcome(next)
    if (next?.kind === 'refused') pointOut(form, next, onStep)
  })
  const draft = form.getValues()
  const quote = live.quote
  // Nobody sends what they have not seen the price of.
  const isPricing = live.error === null && (quote === undefined || !live.isCurrent)
  return (
    <>
      <ReviewStep
        draft={draft}
        quote={quote}
        isShort={quote !== undefined && balance !== undefined && isMore(quote.wallet_sends_usdc, balance.usdc)}
        outcome={outcome}
        busy={isSending ? 'Sending…' : isPricing ? 'Getting the price…' : false}
        onSend={() => send({ body: requestOf(draft), quotedUsdc: quote?.wallet_sends_usdc ?? null })}
        onStartAgain={onStartAgain}
      />
      {codeSent === undefined ? null : (
        <ConfirmDialog
          sent={codeSent}
          problem={codeProblem}
          isSending={isConfirming}
          onCode={enterCode}
          onResend={resend}
          onClose={goBack}
        />
      )}
    </>
  )
}

/** Leads back to the step with the fields that the server did not accept. */
function pointOut(
  form: UseFormReturn<Draft>,
  { error }: Extract<SendOutcome, { kind: 'refused' }>,
  onStep: (step: number) => void,
): void {
  const fields = fieldsNamedIn(error.details)
  if (fields.length === 0) return
  for (const field of fields) form.setError(field, { message: error.message })
  onStep(fields.some((field) => field !== 'amount' && field !== 'reference') ? 1 : 2)
}

interface StepProps {
  readonly number: number
  readonly title: string
  readonly current: number
  /** What the step says once it is done. */
  readonly said: string
  readonly onChange: (step: number) => void
  readonly children: ReactNode
}

function Step({ number, title, current, said, onChange, children }: StepProps) {
  const isOpen = number === current
  const isDone = number < current
  return (
    <li aria-current={isOpen ? 'step' : undefined} className="rounded-card border border-line bg-surface p-5">
      <div className="flex items-center gap-3">
        <span
          className={`flex size-6 shrink-0 items-center justify-center rounded-full text-xs font-semibold ${isOpen ? 'bg-ink text-on-ink' : isDone ? 'bg-ok-soft text-ok' : 'bg-sunken text-muted'}`}
        >
          {isDone ? <Icon name="check" size={13} /> : number}
        </span>
        <h2 className={`font-semibold ${isOpen || isDone ? '' : 'text-muted'}`}>{title}</h2>
        {isDone ? <span className="num min-w-0 truncate text-muted">{said}</span> : null}
        {isDone ? (
          <Button
            kind="quiet"
            className="ml-auto"
            aria-label={`Change ${title.toLowerCase()}`}
            onClick={() => onChange(number)}
          >
            Change
          </Button>
        ) : null}
      </div>
      {isOpen ? <div className="mt-4">{children}</div> : null}
    </li>
  )
}
