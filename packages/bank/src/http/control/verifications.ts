import { type Static, Type } from 'typebox'

import { invalidParameters } from '../../core/bank-error.ts'
import { type VerificationDecision, decideKycLink } from '../../domain/decide-verification.ts'
import { presentKycLink } from '../../present/present-customer.ts'
import { ENDORSEMENT_NAMES } from '../../storage/endorsements.ts'
import { type RouteContext, allowNoBody, idFrom } from '../route-context.ts'

const EndorsementWord = Type.Enum([...ENDORSEMENT_NAMES])

const Decision = Type.Object({
  reason: Type.Optional(Type.String({ minLength: 1 })),
  developer_reason: Type.Optional(Type.String({ minLength: 1 })),
  /** For `approve`: those asked for, unless it says which. For `revoke`: which. */
  endorsements: Type.Optional(Type.Array(EndorsementWord, { minItems: 1 })),
  /** For `ask`: what more is wanted, and for what. */
  endorsement: Type.Optional(EndorsementWord),
  missing: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
})
type DecisionBody = Static<typeof Decision>

const ACTIONS = ['approve', 'revoke', 'ask', 'reject', 'review', 'pause', 'accept_tos'] as const

/** `POST /_control/kyc_links/{id}/{approve|revoke|ask|reject|review|pause|accept_tos}` */
export function addVerificationControls({ app, deps, nudge }: RouteContext): void {
  for (const action of ACTIONS) {
    app.post<{ Body: DecisionBody }>(
      `/kyc_links/:kycLinkId/${action}`,
      { schema: { body: Decision }, preValidation: allowNoBody },
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

function decisionOf(action: (typeof ACTIONS)[number], body: DecisionBody): VerificationDecision {
  switch (action) {
    case 'approve':
      return { action, ...(body.endorsements === undefined ? {} : { endorsements: body.endorsements }) }
    case 'revoke':
      if (body.endorsements === undefined) throw invalidParameters('body', ['endorsements'])
      return { action, endorsements: body.endorsements }
    case 'ask':
      return { action, endorsement: body.endorsement ?? 'base', missing: body.missing ?? ['proof_of_address'] }
    case 'reject':
      return {
        action,
        reason: body.reason ?? 'Cannot validate the business. Upload a recent extract of the register.',
        developerReason: body.developer_reason ?? 'Rejected through the control plane.',
      }
    case 'review':
    case 'pause':
    case 'accept_tos':
      return { action }
  }
}
