import { useSearch } from '@tanstack/react-router'

import { SignInForm } from './sign-in-form.tsx'
import { useEnter } from '../../entrance/use-enter.ts'

const SLUG = /^[a-z0-9-]{2,40}$/

export function SignInPage() {
  const { next, ended, business: named } = useSearch({ from: '/sign-in' })
  // Anybody can write an address: text that cannot be a slug is ignored.
  const business = named !== undefined && SLUG.test(named) ? named : undefined
  const enter = useEnter({ next, business })
  return <SignInForm hasEnded={ended === 'yes'} business={business} onSignedIn={enter} />
}
