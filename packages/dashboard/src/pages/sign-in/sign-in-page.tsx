import { useSearch } from '@tanstack/react-router'

import { SignInForm } from './sign-in-form.tsx'
import { useEnter } from './use-enter.ts'

export function SignInPage() {
  const { next, ended } = useSearch({ from: '/sign-in' })
  const enter = useEnter(next, next !== undefined)
  return <SignInForm hasEnded={ended === 'yes'} onSignedIn={enter} />
}
