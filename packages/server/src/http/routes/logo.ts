// A partner's logo, for anybody: sign-in pages, mails and invoices show it.
import { Type } from 'typebox'

import { readLogo } from '../../domain/partners/logo.ts'
import { operationSchema } from '../access/operation.ts'
import type { RouteContext } from './route-context.ts'

/** A partner chose these bytes: a browser may show them as a picture and run nothing. */
const LOGO_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'Content-Disposition': 'inline; filename="logo"',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

const LogoQuery = Type.Object(
  { v: Type.Optional(Type.String({ maxLength: 64, description: 'As in `logo_url`; with it the image may be kept.' })) },
  { additionalProperties: false },
)

export function addLogoRoute({ app, deps, publicUrl }: RouteContext): void {
  app.get<{ Params: { slug: string }; Querystring: { v?: string } }>('/v1/public/partners/:slug/logo', {
    config: { auth: 'none' },
    schema: operationSchema(
      {
        id: 'readLogo',
        tag: 'Service',
        summary: 'Read a partner’s logo',
        description: 'The image that `logo_url` points at. Needs no key.',
        auth: 'none',
        query: LogoQuery,
        params: Type.Object({ slug: Type.String({ description: 'The short name of the partner.' }) }),
        ok: { 200: { text: 'image/*', description: 'The image: PNG or JPEG.' } },
        errors: ['not_found', 'invalid_request'],
        curl: (base) => `curl ${base}/v1/public/partners/thistle-market/logo --output -`,
      },
      publicUrl,
    ),
    handler: async (request, reply) => {
      const { image, type, hash } = await readLogo(deps, request.params.slug)
      const etag = `"${hash}"`
      const { v } = request.query
      const isNamed = v !== undefined && v.length >= 16 && hash.startsWith(v)
      reply.headers({
        ...LOGO_HEADERS,
        'Content-Type': type,
        'Cache-Control': isNamed ? 'public, max-age=31536000, immutable' : 'no-cache',
        ETag: etag,
      })
      if (request.headers['if-none-match']?.includes(etag) === true) return reply.code(304).send()
      return reply.send(image)
    },
  })
}
