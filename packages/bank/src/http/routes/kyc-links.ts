import { Type } from 'typebox'

import { unknownId } from '../../core/bank-error.ts'
import { startVerification } from '../../domain/open-customer.ts'
import { presentKycLink } from '../../present/present-customer.ts'
import { findKycLink, listKycLinks } from '../../storage/kyc-links.ts'
import { addIdempotentPost } from '../idempotent-post.ts'
import { pageFrom, textFrom } from '../read-query.ts'
import { type RouteContext, idFrom, listOf } from '../route-context.ts'
import { Endorsements } from './customers.ts'

const NewKycLink = Type.Object({
  full_name: Type.Optional(Type.String({ minLength: 1 })),
  email: Type.String({ minLength: 1 }),
  type: Type.Enum(['individual', 'business']),
  endorsements: Endorsements,
  redirect_uri: Type.Optional(Type.String({ pattern: '^https?://' })),
})

export function addKycLinkRoutes(context: RouteContext): void {
  const { app, deps } = context
  const { db } = deps

  addIdempotentPost(context, {
    path: '/kyc_links',
    body: NewKycLink,
    effect: async (tx, { body }) => {
      const link = await startVerification(deps, tx, {
        type: body.type,
        fullName: body.full_name ?? null,
        email: body.email,
        endorsements: body.endorsements ?? null,
        redirectUri: body.redirect_uri ?? null,
      })
      // 200 and not 201, as the real bank's OpenAPI document says.
      return { status: 200, body: presentKycLink(link, deps.publicUrl()) }
    },
  })

  app.get('/kyc_links', async (request) => {
    const filter = { customerId: textFrom(request, 'customer_id'), email: textFrom(request, 'email') }
    const links = await listKycLinks(db, filter, pageFrom(request))
    return listOf(links.map((link) => presentKycLink(link, deps.publicUrl())))
  })

  app.get('/kyc_links/:kycLinkId', async (request) => {
    const link = await findKycLink(db, idFrom(request, 'kycLinkId', 'kyc link'))
    if (link === null) throw unknownId('kyc link')
    return presentKycLink(link, deps.publicUrl())
  })
}
