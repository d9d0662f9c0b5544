import type { Session } from '@kestrel/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'

import { describeFailure } from '../../app/failure.ts'
import { linkClass } from '../../app/page.tsx'
import { setTitle } from '../../app/title.ts'
import { isEmail } from '../../format/people.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/card.tsx'
import { Field } from '../../parts/field.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { signUp } from '../../server/auth.ts'
import { authOptionsQuery } from '../../server/queries.ts'
import { CodeStep } from '../../entrance/code-step.tsx'
import { Entrance } from '../../entrance/entrance.tsx'
import { useEnter } from '../../entrance/use-enter.ts'
import { FirstKey } from './first-key.tsx'

interface Details {
  readonly email: string
  readonly name: string
  readonly business: string
}

const requestOf = ({ email, name, business }: Details) => ({
  email: email.trim(),
  business_name: business.trim(),
  ...(name.trim() === '' ? {} : { name: name.trim() }),
})

export function SignUpPage() {
  const [welcome, setWelcome] = useState<Session | null>(null)
  const [details, setDetails] = useState<Details>({ email: '', name: '', business: '' })
  const enter = useEnter({ business: welcome?.partner.slug })
  const request = useMutation({ mutationFn: (given: Details) => signUp(requestOf(given)) })
  useEffect(() => setTitle(['Open an account'], null, null), [])
  if (welcome?.sandbox_key !== undefined) {
    return <FirstKey secret={welcome.sandbox_key} business={welcome.partner.name} onDone={() => enter(welcome)} />
  }
  if (request.data !== undefined) {
    return (
      <CodeStep
        email={details.email.trim()}
        sent={request.data}
        isKnown
        verb="Open account"
        resend={() => signUp(requestOf(details))}
        onBack={request.reset}
        onSignedIn={(session) => (session.sandbox_key === undefined ? enter(session) : setWelcome(session))}
      />
    )
  }
  return (
    <Entrance title="Open an account">
      <DetailsForm
        details={details}
        failure={request.error === null ? null : describeFailure(request.error).message}
        isBusy={request.isPending}
        onSubmit={(given) => {
          setDetails(given)
          request.mutate(given)
        }}
      />
    </Entrance>
  )
}

interface FormProps {
  readonly details: Details
  readonly failure: string | null
  readonly isBusy: boolean
  readonly onSubmit: (details: Details) => void
}

function DetailsForm({ details, failure, isBusy, onSubmit }: FormProps) {
  const options = useQuery(authOptionsQuery)
  const { register, handleSubmit, formState } = useForm<Details>({ defaultValues: details })
  // A form that would be taken away again is not shown.
  if (options.isLoading) return <Skeleton rows={4} />
  if (options.data?.sign_up === false) {
    return (
      <Notice tone="quiet" title="New accounts are closed at the moment">
        Ask an admin of your business to invite you, or{' '}
        <Link to="/sign-in" className="underline">
          sign in
        </Link>
        .
      </Notice>
    )
  }
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void handleSubmit(onSubmit)(event)}>
      <p className="text-muted">You get a sandbox with test money straight away. Live opens after verification.</p>
      {failure === null ? null : <Notice tone="bad">{failure}</Notice>}
      <Field
        label="Business name"
        autoComplete="organization"
        maxLength={120}
        error={formState.errors.business?.message}
        {...register('business', { validate: (typed) => typed.trim() !== '' || 'Enter the name of your business.' })}
      />
      <Field label="Your name" autoComplete="name" maxLength={80} optional {...register('name')} />
      <Field
        label="Work email"
        type="email"
        autoComplete="email"
        error={formState.errors.email?.message}
        {...register('email', {
          validate: (typed) => isEmail(typed) || 'Enter an email address such as you@business.co.uk.',
        })}
      />
      <Button kind="primary" type="submit" busy={isBusy ? 'Sending the code…' : false}>
        Continue
      </Button>
      <p className="text-muted">
        Have an account?{' '}
        <Link to="/sign-in" className={linkClass}>
          Sign in
        </Link>
      </p>
    </form>
  )
}
