import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'

import { useScope } from '../../app/session.ts'
import { ApiError } from '../../server/client.ts'
import { complianceQuery } from '../../server/queries.ts'
import { amountProblem, type Draft, type Limits } from './draft.ts'

export const isAmountRefused = (error: Error | null) => error instanceof ApiError && error.code === 'invalid_amount'

/** Reads the limits again: they may be changed while the form is open, and then the server refuses what the form let pass. */
export function useReadLimitsAgain(): () => void {
  const client = useQueryClient()
  const { queryKey } = complianceQuery(useScope())
  return () => void client.invalidateQueries({ queryKey })
}

interface Refused {
  readonly form: UseFormReturn<Draft>
  readonly limits: Limits
  /** Why there is no price. */
  readonly error: Error | null
  /** Whether the amount stands in the review and nothing is being sent. */
  readonly isReviewed: boolean
  readonly onAmountStep: () => void
}

/** An amount that new limits leave out leads back to its field, with the reason. */
export function useNewLimits({ form, limits, error, isReviewed, onAmountStep }: Refused): void {
  const readAgain = useReadLimitsAgain()
  const isRefused = isAmountRefused(error)
  const problem = amountProblem(form.watch('amount'), limits)
  useEffect(() => {
    if (isRefused) readAgain()
  }, [isRefused])
  useEffect(() => {
    if (!isReviewed || problem === true) return
    onAmountStep()
    form.setError('amount', { message: problem })
  }, [isReviewed, problem])
}
