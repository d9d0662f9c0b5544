// The dashboard's own files. Every address below /dashboard/ that is not a file gets the same page, which routes by the
// address itself.
import { access } from 'node:fs/promises'
import { join } from 'node:path'

import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { notFound } from '../../core/errors.ts'
import type { RouteContext } from './route-context.ts'

/** Nothing from another host, and nothing inline. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const NOT_BUILT = `<!doctype html>
<html lang="en-GB">
<meta charset="utf-8">
<title>Dashboard</title>
<h1>The dashboard is not built yet</h1>
<p>In the folder of the service, run <code>npm run build:dashboard</code> and load this page again.</p>
<p><code>npm start</code> does that by itself. The API works without it.</p>
</html>
`

/** The names that a build gives its files; any other is not even looked for. */
const FILE_PATH = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/

/** Files named after their content, which therefore never change. */
const ASSETS = 'assets/'

export async function addDashboardPages({ app, dashboard }: RouteContext): Promise<void> {
  const { folder } = dashboard
  await app.register(async (scope) => {
    await scope.register(fastifyStatic, {
      root: folder,
      serve: false,
      index: false,
      dotfiles: 'ignore',
      cacheControl: false,
      // Compressed at build time, not while somebody waits.
      preCompressed: true,
      setHeaders: (reply, path) => {
        const isAsset = path.startsWith(join(folder, ASSETS))
        reply.headers({
          'Cache-Control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
          'Content-Security-Policy': PAGE_POLICY,
          'Cross-Origin-Opener-Policy': 'same-origin',
        })
      },
    })
    const open = { config: { auth: 'none' }, schema: { hide: true } as object } as const
    scope.get('/dashboard', { ...open, handler: (request, reply) => root(request, reply, folder) })
    scope.get<{ Params: { '*': string } }>('/dashboard/*', {
      ...open,
      handler: (request, reply) => {
        const path = request.params['*']
        if (!isFile(path)) return page(reply, folder)
        if (!FILE_PATH.test(path)) throw notFound()
        return reply.sendFile(path)
      },
    })
  })
}

/** The router treats both addresses alike, but links in the page need the slash. */
function root(request: FastifyRequest, reply: FastifyReply, folder: string): FastifyReply | Promise<FastifyReply> {
  const [path = '', query] = request.url.split('?')
  if (path.endsWith('/')) return page(reply, folder)
  return reply.redirect(`/dashboard/${query === undefined ? '' : `?${query}`}`, 308)
}

function isFile(path: string): boolean {
  return `${path}/`.startsWith(ASSETS) || (path.split('/').at(-1) ?? '').includes('.')
}

async function page(reply: FastifyReply, folder: string): Promise<FastifyReply> {
  const isBuilt = await access(join(folder, 'index.html')).then(
    () => true,
    () => false,
  )
  return isBuilt ? reply.sendFile('index.html') : reply.code(503).type('text/html; charset=utf-8').send(NOT_BUILT)
}
