import { Type } from 'typebox'

import { invalidParameters } from '../../core/bank-error.ts'
import { type MicroUsdc, parseUsdc } from '../../core/money.ts'
import { showTransfer } from '../../domain/show-transfer.ts'
import { type SteeringAction, STEERING, steerTransfer } from '../../domain/steer-transfer.ts'
import { type RouteContext, allowNoBody, idFrom } from '../route-context.ts'

const Reason = Type.Object({
  reason_code: Type.Optional(Type.String({ pattern: '^(\\d{4}|\\d{8}|[A-Z0-9]{4})$' })),
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  amount: Type.Optional(Type.String()),
})

/** `POST /_control/transfers/{id}/{submit|settle|return|undeliver|review|refund|cancel}` */
export function addTransferControls({ app, deps, nudge }: RouteContext): void {
  for (const action of Object.keys(STEERING) as SteeringAction[]) {
    app.post<{ Body: { reason_code?: string; reason?: string; amount?: string } }>(
      `/transfers/:transferId/${action}`,
      { schema: { body: Reason }, preValidation: allowNoBody },
      async (request) => {
        const input = {
          transferId: idFrom(request, 'transferId', 'transfer'),
          action,
          reasonCode: request.body.reason_code ?? null,
          reason: request.body.reason ?? null,
          refunded: refundedIn(request.body.amount),
        }
        const transfer = await deps.db.inTransaction((tx) => steerTransfer(deps, tx, input))
        nudge()
        return showTransfer(deps, transfer)
      },
    )
  }
}

/** What a refund brings back, in USDC: less than was sent, or nothing. */
function refundedIn(amount: string | undefined): MicroUsdc | null {
  if (amount === undefined) return null
  const refunded = parseUsdc(amount)
  if (refunded === null) throw invalidParameters('body', ['amount'])
  return refunded
}
