import type { PublicPartner, Session } from '@kestrel/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

import { describeFailure } from '../../app/failure.ts'
import { linkClass } from '../../app/page.tsx'
import { setTitle } from '../../app/title.ts'
import { isEmail } from '../../format/people.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/card.tsx'
import { Field } from '../../parts/field.tsx'
import { askForCode } from '../../server/auth.ts'
import { authOptionsQuery } from '../../server/queries.ts'
import { CodeStep } from '../../entrance/code-step.tsx'
import { Entrance } from '../../entrance/entrance.tsx'

interface SignInFormProps {
  readonly partner?: PublicPartner | undefined
  readonly hasEnded?: boolean
  /** The business that the visitor was in, by its slug. */
  readonly business?: string | undefined
  readonly onSignedIn: (session: Session, hasChosen: boolean) => void
}

export function SignInForm({ partner, hasEnded = false, business, onSignedIn }: SignInFormProps) {
  const [email, setEmail] = useState('')
  useEffect(() => setTitle(['Sign in'], null, partner?.name ?? null), [partner?.name])
  const request = useMutation({ mutationFn: (address: string) => askForCode(address, partner?.slug) })
  if (request.data !== undefined) {
    return (
      <CodeStep
        email={email.trim()}
        slug={partner?.slug ?? business}
        partner={partner}
        sent={request.data}
        resend={() => askForCode(email.trim(), partner?.slug)}
        onBack={request.reset}
        onSignedIn={onSignedIn}
      />
    )
  }
  return (
    <Entrance title={partner === undefined ? 'Sign in' : `Sign in to ${partner.name}`} partner={partner}>
      {hasEnded ? (
        <div className="mb-4">
          <Notice>You were signed out. Sign in to carry on where you were.</Notice>
        </div>
      ) : null}
      <EmailForm
        email={email}
        onChange={setEmail}
        failure={request.error === null ? undefined : describeFailure(request.error).message}
        isBusy={request.isPending}
        onSubmit={() => request.mutate(email.trim())}
      />
    </Entrance>
  )
}

interface EmailFormProps {
  readonly email: string
  readonly onChange: (email: string) => void
  readonly failure: string | undefined
  readonly isBusy: boolean
  readonly onSubmit: () => void
}

function EmailForm({ email, onChange, failure, isBusy, onSubmit }: EmailFormProps) {
  const [wasTried, setTried] = useState(false)
  const options = useQuery(authOptionsQuery)
  const problem = wasTried && !isEmail(email) ? 'Enter an email address such as you@business.co.uk.' : failure
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (isEmail(email) && !isBusy) onSubmit()
      }}
    >
      <Field
        label="Work email"
        type="email"
        autoComplete="email"
        autoFocus
        value={email}
        onChange={(event) => onChange(event.target.value)}
        error={problem}
        hint="We send you a code. There is no password."
      />
      <Button kind="primary" type="submit" className="mt-4 w-full" busy={isBusy ? 'Sending the code…' : false}>
        Continue
      </Button>
      {options.data?.sign_up === true ? (
        <p className="mt-6 text-muted">
          New here?{' '}
          <Link to="/sign-up" className={linkClass}>
            Open an account
          </Link>
        </p>
      ) : null}
    </form>
  )
}
