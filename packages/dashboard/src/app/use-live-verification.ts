import type { Compliance } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'

import { complianceQuery } from '../server/queries.ts'
import { useScope } from './session.ts'

interface LiveVerification {
  readonly verification: Compliance['business_verification'] | undefined
  /** It is being read: whatever depends on it is not said yet. */
  readonly isAwaited: boolean
}

/** How far the business is on its way to live; asked for only in live. */
export function useLiveVerification(): LiveVerification {
  const scope = useScope()
  const { data, isLoading } = useQuery({ ...complianceQuery(scope), enabled: scope.environment === 'live' })
  return { verification: data?.business_verification, isAwaited: isLoading }
}
