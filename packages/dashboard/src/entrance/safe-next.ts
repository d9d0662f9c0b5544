/** Only a path of the dashboard: a link in a mail must not lead to another site after sign-in. */
export function safeNext(next: string | undefined): string | null {
  if (next === undefined || !/^\/(?![/\\])/.test(next) || next.startsWith('/sign-')) return null
  return next
}
