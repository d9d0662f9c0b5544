import { isNotOpen } from './no-live-bank.tsx'
import { useIsAdmin, useIsVerified } from './session.ts'
import { useLiveVerification } from './use-live-verification.ts'

/** Whether this person can send a payout here. In live not before it is known that the wallet is open at the bank. */
export function useCanPay(): boolean {
  const isAdmin = useIsAdmin()
  const isVerified = useIsVerified()
  const { verification, isAwaited } = useLiveVerification()
  const isClosed = verification !== undefined && isNotOpen(verification)
  return isAdmin && isVerified && !isAwaited && !isClosed
}
