import type { Compliance } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'

import { complianceQuery } from '../server/queries.ts'
import { useScope } from './session.ts'

/** How far the business is on its way to live; asked for only in live. */
export function useLiveVerification(): Compliance['business_verification'] | undefined {
  const scope = useScope()
  return useQuery({ ...complianceQuery(scope), enabled: scope.environment === 'live' }).data?.business_verification
}
