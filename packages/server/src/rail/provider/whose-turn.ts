// Which requests to the bank wait for one another when all connections are busy: those for one account holder, and of those for
// nobody the same kind, such as all looks at transfers. See core/turns.ts.

interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: object
}

const HOLDER = /^\/customers\/([^/?]+)/
const WORD = /^\/\w*/

export function laneOf({ method, path, body }: Asked): string {
  const holder = HOLDER.exec(path)?.[1] ?? holderIn(body)
  return holder ?? `${method} ${WORD.exec(path)?.[0]}`
}

function holderIn(body: object | undefined): string | undefined {
  if (body === undefined || !('on_behalf_of' in body)) return undefined
  return typeof body.on_behalf_of === 'string' ? body.on_behalf_of : undefined
}
