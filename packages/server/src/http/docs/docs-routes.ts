// Where the API explains itself. No page loads anything from another host.
import type { FastifyInstance } from 'fastify'

export function addDocsRoutes(app: FastifyInstance, _publicUrl: string): void {
  const open = { config: { auth: 'none' }, schema: { hide: true } as object } as const
  app.get('/openapi.json', { ...open, handler: () => app.swagger() })
}
