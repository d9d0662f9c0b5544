import { Type } from 'typebox'

import { type VerificationDecision, decideKycLink } from '../../domain/decide-verification.ts'
import { presentKycLink } from '../../present/present-customer.ts'
import { type RouteContext, allowNoBody, idFrom } from '../route-context.ts'

const Rejection = Type.Object({
  reason: Type.Optional(Type.String({ minLength: 1 })),
  developer_reason: Type.Optional(Type.String({ minLength: 1 })),
})

interface RejectionBody {
  readonly reason?: string
  readonly developer_reason?: string
}

const ACTIONS = ['approve', 'reject', 'review', 'accept_tos'] as const

/** `POST /_control/kyc_links/{id}/{approve|reject|review|accept_tos}` */
export function addVerificationControls({ app, deps, nudge }: RouteContext): void {
  for (const action of ACTIONS) {
    app.post<{ Body: RejectionBody }>(
      `/kyc_links/:kycLinkId/${action}`,
      { schema: { body: Rejection }, preValidation: allowNoBody },
      async (request) => {
        const id = idFrom(request, 'kycLinkId', 'kyc link')
        const decision = decisionOf(action, request.body)
        const link = await deps.db.inTransaction((tx) => decideKycLink(deps, tx, id, decision))
        nudge()
        return presentKycLink(link, deps.publicUrl())
      },
    )
  }
}

function decisionOf(action: (typeof ACTIONS)[number], body: RejectionBody): VerificationDecision {
  if (action !== 'reject') return { action }
  return {
    action,
    reason: body.reason ?? 'Cannot validate the business. Upload a recent extract of the register.',
    developerReason: body.developer_reason ?? 'Rejected through the control plane.',
  }
}
