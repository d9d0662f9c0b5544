// What anybody may ask: what this service is, and who a partner is.
import { Discovery, PublicPartner } from '@kestrel/contract'
import { Type } from 'typebox'

import { findPublicPartner } from '../../domain/partners/find-partner.ts'
import { operationSchema } from '../access/operation.ts'
import { docsVersions } from '../docs/docs-files.ts'
import { DOCS_POLICY } from '../docs/docs-frame.ts'
import { pageByRoot, sendUnder } from '../docs/made-once.ts'
import { wantsPage, welcomePage } from '../docs/welcome-page.ts'
import { presentPublicPartner } from '../present/account.ts'
import { SERVICE_NAME, SERVICE_VERSION } from '../../core/service-version.ts'
import type { RouteContext } from './route-context.ts'

export function addDiscoveryRoutes({ app, deps, publicUrl }: RouteContext): void {
  const welcome = pageByRoot(async (root) => welcomePage(root, await docsVersions()))
  for (const [url, id] of [
    ['/', 'discover'],
    ['/v1', 'discoverV1'],
  ] as const) {
    app.get(url, {
      config: { auth: 'none' },
      schema: operationSchema(
        {
          id,
          tag: 'Service',
          summary: url === '/' ? 'Discover the service' : 'Discover version 1',
          auth: 'none',
          ok: { 200: { schema: Discovery, description: 'What this service is.' } },
          errors: [],
          curl: (base) => `curl ${base}${url}`,
        },
        publicUrl,
      ),
      handler: async (request, reply) => {
        reply.header('Vary', 'Accept')
        if (url === '/' && wantsPage(request.headers.accept)) {
          return sendUnder(DOCS_POLICY, await welcome(request), request, reply)
        }
        return { name: SERVICE_NAME, version: SERVICE_VERSION, docs: `${publicUrl}/docs` }
      },
    })
  }

  app.get<{ Params: { slug: string } }>('/v1/public/partners/:slug', {
    config: { auth: 'none' },
    schema: operationSchema(
      {
        id: 'readPublicPartner',
        tag: 'Service',
        summary: 'Read what is public about a partner',
        description: 'Name, logo and colour, for a sign-in page. Needs no key.',
        auth: 'none',
        params: Type.Object({ slug: Type.String({ description: 'The short name of the partner.' }) }),
        ok: { 200: { schema: PublicPartner, description: 'The partner.' } },
        errors: ['not_found'],
        curl: (base) => `curl ${base}/v1/public/partners/thistle-market`,
      },
      publicUrl,
    ),
    handler: async (request) => presentPublicPartner(await findPublicPartner(deps, request.params.slug), publicUrl),
  })
}
