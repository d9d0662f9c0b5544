/** Only a place on this page: never an address that a link in a mail could have slipped in. */
export function safeNext(next: string | undefined): string | null {
  if (next === undefined || !/^\/(?![/\\])/.test(next) || next.startsWith('/sign-')) return null
  return next
}
