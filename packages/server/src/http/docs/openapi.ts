// The OpenAPI document: made from the schemas that validate and serialise, so it cannot differ from them.
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'

import { SERVICE_NAME, SERVICE_VERSION } from '../../core/service-version.ts'
import { type OpenApiDocument, completeDocument } from './complete-document.ts'
import { forGenerators } from './for-generators.ts'
import { sessionCookieName } from '../access/session-cookie.ts'
import { introduction } from './introduction.ts'

type TransformObject = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>

export function openApiOptions(publicUrl: string): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: SERVICE_NAME,
        version: SERVICE_VERSION,
        description: introduction(publicUrl),
      },
      servers: [{ url: publicUrl, description: 'Sandbox and live; the API key decides which.' }],
      tags: [
        { name: 'Payouts', description: 'Quote, pay, follow.' },
        { name: 'Events', description: 'What changed, as it changed.' },
        { name: 'Account', description: 'What the account is, holds and did.' },
        { name: 'Billing', description: 'What it costs.' },
        { name: 'Webhooks', description: 'What happens, sent to you as it happens, and signed.' },
        { name: 'Access', description: 'Who may call.' },
        { name: 'Sandbox', description: 'What only a sandbox can do; with a live key there is nothing here.' },
        { name: 'Service', description: 'What anybody may ask, without a key.' },
        { name: 'Dashboard', description: 'What the dashboard’s own pages use: signing in, the team, keys.' },
      ],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key: `kp_sandbox_…` for test money, `kp_live_…` for real money.',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: sessionCookieName(publicUrl),
            description:
              'A dashboard session. What changes anything must also say, in `Origin`, that it comes from the dashboard. A page names its business in `Kestrel-Business`, by the slug, and is refused once the session has turned to another.',
          },
        },
      },
    },
    // The paths that the service itself answers to, whatever path the public address has in front of them.
    stripBasePath: false,
    convertConstToEnum: false,
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, index) =>
        typeof json['$id'] === 'string' ? json['$id'] : `def-${index}`,
    },
    transformObject: ((made: { openapiObject: unknown }) =>
      forGenerators(completeDocument(made.openapiObject as OpenApiDocument, publicUrl))) as unknown as TransformObject,
  }
}
