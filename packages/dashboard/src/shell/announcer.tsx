/** The live region of parts/announce.ts, which tells screen readers what changed by itself. */
export function Announcer() {
  return <div id="announcer" role="status" aria-live="polite" className="sr-only" />
}
