import type { VerificationStatus } from '@kestrel/contract'

import { noteEvents } from '../../../storage/note-events.ts'
import type { Tx } from '../../../storage/sql.ts'

/** Writes that verification has changed, for the callers of both environments: each sees it in `GET /v1/compliance`. */
export function noteVerification(
  tx: Tx,
  partnerId: string,
  { status, bankStatus, at }: { status: VerificationStatus; bankStatus: string | null; at: Date },
): void {
  // The links of a verification are for the business alone.
  const data = { status, bank_status: bankStatus }
  const subject = { object: 'account', id: partnerId } as const
  for (const environment of ['sandbox', 'live'] as const) {
    noteEvents(tx, { partnerId, environment }, [{ type: 'verification.changed', subject, data }], at)
  }
}
