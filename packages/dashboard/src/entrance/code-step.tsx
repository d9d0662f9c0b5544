import type { CodeSent, PublicPartner, Session } from '@kestrel/contract'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { describeFailure } from '../app/failure.ts'
import { linkClass } from '../app/page.tsx'
import { useCountdown } from '../app/use-now.ts'
import { maskEmail } from '../format/people.ts'
import { announce } from '../parts/announce.ts'
import { Button } from '../parts/button.tsx'
import { MailboxLink } from '../codes/mailbox-link.tsx'
import { CodeField } from '../parts/code-field.tsx'
import { signIn } from '../server/auth.ts'
import { type Destinations, ChoiceStep, destinationsIn, titleOf } from './choice-step.tsx'
import { codeProblem } from '../codes/code-problem.ts'
import { Entrance } from './entrance.tsx'

interface CodeStepProps {
  readonly email: string
  readonly slug?: string | undefined
  readonly sent: CodeSent
  /** Whether a code was certainly sent. At sign-in the page does not tell whether the address has an account. */
  readonly isKnown?: boolean
  /** What the button says: "Sign in", or "Open account" after signing up. */
  readonly verb?: string
  /** The business whose own sign-in page this is. */
  readonly partner?: PublicPartner | undefined
  /** Sends another code; the one before stops working. */
  readonly resend: () => Promise<CodeSent>
  readonly onBack: () => void
  /** `hasChosen`: the person has just chosen a business. */
  readonly onSignedIn: (session: Session, hasChosen: boolean) => void
}

interface Entry {
  readonly digits: string
  readonly partner?: string
  readonly accept?: string
  readonly decline?: string
}

/** Exchanges the code for a session. When it fits several businesses, keeps the list to choose from. */
function useEntry({ email, slug, onSignedIn }: CodeStepProps, onWrong: () => void) {
  const [choice, setChoice] = useState<(Destinations & { readonly digits: string }) | null>(null)
  const entry = useMutation({
    mutationFn: ({ digits, ...answer }: Entry) => signIn(email, digits, { ...bySlug(slug), ...answer }),
    onSuccess: (session, { partner, accept }) => onSignedIn(session, partner !== undefined || accept !== undefined),
    onError: (error, { digits }) => {
      const next = destinationsIn(error)
      setChoice(next === null ? null : { ...next, digits })
      if (next === null) onWrong()
    },
  })
  return {
    choice,
    error: entry.error,
    isPending: entry.isPending,
    enter: (given: Entry) => (entry.isPending ? undefined : entry.mutate(given)),
  }
}

export function CodeStep(props: CodeStepProps) {
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const entry = useEntry(props, () => {
    setCode('')
    field.current?.focus()
  })
  const { choice, enter, isPending } = entry
  if (choice !== null) {
    const onAnswer = (answer: Omit<Entry, 'digits'>) => enter({ digits: choice.digits, ...answer })
    return (
      <Entrance title={titleOf(choice)}>
        <ChoiceStep choice={choice} isBusy={isPending} onAnswer={onAnswer} onBack={props.onBack} />
      </Entrance>
    )
  }
  const { email, sent, isKnown = false, verb = 'Sign in', partner, resend, onBack } = props
  const minutes = Math.round(sent.expires_in / 60)
  return (
    <Entrance title="Check your email" partner={partner}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (code.length === 6) enter({ digits: code })
        }}
      >
        <p className="mb-4 text-muted">
          A 6-digit code is on its way to {maskEmail(email)}
          {isKnown ? '' : ', if it has an account here'}. It works for {minutes} minutes, in this browser.
        </p>
        <CodeField
          label="6-digit code"
          value={code}
          onChange={setCode}
          onComplete={(digits) => enter({ digits })}
          error={entry.error === null ? undefined : codeProblem(entry.error)}
          isBusy={isPending}
          fieldRef={field}
        />
        <Button kind="primary" type="submit" className="mt-4 w-full" busy={isPending ? 'Checking…' : false}>
          {verb}
        </Button>
        <div className="mt-4 flex flex-wrap justify-between gap-2 text-sm">
          <Resend resend={resend} after={sent.resend_after} />
          <button type="button" className={linkClass} onClick={onBack}>
            Use another email
          </button>
        </div>
        <MailboxLink />
      </form>
    </Entrance>
  )
}

const bySlug = (slug: string | undefined) => (slug === undefined ? {} : { partner: slug })

function Resend({ resend, after }: { resend: () => Promise<CodeSent>; after: number }) {
  const [round, setRound] = useState(0)
  const left = useCountdown(after, round)
  const again = useMutation({
    mutationFn: resend,
    onSuccess: () => {
      setRound(round + 1)
      announce('A new code is on its way. The one before no longer works.')
    },
  })
  if (left > 0) return <span className="num text-muted">Send again in {left} s</span>
  return (
    <span>
      {again.error === null ? null : (
        <span role="alert" className="block text-bad">
          {describeFailure(again.error).message}
        </span>
      )}
      <button
        type="button"
        aria-disabled={again.isPending || undefined}
        className={linkClass}
        onClick={() => (again.isPending ? undefined : again.mutate())}
      >
        {again.isPending ? 'Sending…' : 'Send again'}
      </button>
    </span>
  )
}
