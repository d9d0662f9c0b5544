import type { FastifyInstance } from 'fastify'

/** The address of every route, read from the tree that Fastify prints. */
export function routesOf(app: FastifyInstance): string[] {
  const segments: string[] = []
  const found = new Set<string>()
  for (const line of app.printRoutes().split('\n')) {
    const match = /^(.*?)[├└]── (\S*)( \(.+\))?/.exec(line)
    if (match === null) continue
    const [, indent = '', segment = '', methods] = match
    segments.length = indent.length / 4
    segments.push(segment)
    if (methods !== undefined) found.add(segments.join(''))
  }
  return [...found]
}
