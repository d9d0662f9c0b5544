import type { PublicPartner } from '@kestrel/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { describeFailure } from '../../app/failure.ts'
import { linkClass } from '../../app/page.tsx'
import { useCountdown } from '../../app/use-now.ts'
import { maskEmail } from '../../format/people.ts'
import { announce } from '../../parts/announce.ts'
import { Button } from '../../parts/button.tsx'
import { CodeField } from '../../parts/code-field.tsx'
import { signIn } from '../../server/auth.ts'
import { authOptionsQuery } from '../../server/queries.ts'
import type { CodeSent, Session } from '../../server/shapes.ts'
import { type Choice, ChoiceStep, choiceIn } from './choice-step.tsx'
import { codeProblem } from './code-problem.ts'
import { Door } from './door.tsx'

interface CodeStepProps {
  readonly email: string
  readonly slug?: string | undefined
  readonly sent: CodeSent
  /** Whether the address may be unknown: then nothing is claimed about it. */
  readonly isKnown?: boolean
  /** What the button says: a code opens an account, too. */
  readonly verb?: string
  /** The business whose own door this is. */
  readonly partner?: PublicPartner | undefined
  /** Sends another code; the one before stops working. */
  readonly resend: () => Promise<CodeSent>
  readonly onBack: () => void
  /** `hasChosen`: they said just now where to go. */
  readonly onSignedIn: (session: Session, hasChosen: boolean) => void
}

export function CodeStep(props: CodeStepProps) {
  const { email, slug, sent, isKnown = false, verb = 'Sign in', partner, resend, onBack, onSignedIn } = props
  const [code, setCode] = useState('')
  const [choice, setChoice] = useState<(Choice & { readonly digits: string }) | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const entry = useMutation({
    mutationFn: ({ digits, ...answer }: { digits: string; partner?: string; accept?: string; decline?: string }) =>
      signIn(email, digits, { ...bySlug(slug), ...answer }),
    onSuccess: (session, { partner: chosen, accept }) =>
      onSignedIn(session, chosen !== undefined || accept !== undefined),
    onError: (error, { digits }) => {
      const next = choiceIn(error)
      setChoice(next === null ? null : { ...next, digits })
      if (next !== null) return
      setCode('')
      field.current?.focus()
    },
  })
  const enter = (digits: string) => (entry.isPending ? undefined : entry.mutate({ digits }))
  if (choice !== null) {
    return (
      <Door title="Choose a business">
        <ChoiceStep
          choice={choice}
          isBusy={entry.isPending}
          onAnswer={(answer) => entry.mutate({ digits: choice.digits, ...answer })}
          onBack={onBack}
        />
      </Door>
    )
  }
  const minutes = Math.round(sent.expires_in / 60)
  return (
    <Door title="Check your email" partner={partner}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (code.length === 6) enter(code)
        }}
      >
        <p className="mb-4 text-muted">
          A 6-digit code is on its way to {maskEmail(email)}
          {isKnown ? '' : ', if it has an account here'}. It works for {minutes} minutes.
        </p>
        <CodeField
          label="6-digit code"
          value={code}
          onChange={setCode}
          onComplete={enter}
          error={entry.error === null ? undefined : codeProblem(entry.error)}
          isBusy={entry.isPending}
          fieldRef={field}
        />
        <Button kind="primary" type="submit" className="mt-4 w-full" busy={entry.isPending ? 'Checking…' : false}>
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
    </Door>
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

/** Only where the operator has no mail server: codes arrive on a page of their own. */
export function MailboxLink() {
  const options = useQuery(authOptionsQuery)
  const mailbox = options.data?.mailbox_url ?? null
  if (mailbox === null) return null
  return (
    <p className="mt-6 rounded-lg bg-sunken px-3 py-2 text-sm text-muted">
      This server sends no real mail.{' '}
      <a href={mailbox} target="_blank" rel="noopener" className={linkClass}>
        Open the test mailbox
      </a>
    </p>
  )
}
