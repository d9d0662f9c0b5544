/** The one place that says what changed without the reader doing anything: see parts/announce.ts. */
export function Announcer() {
  return <div id="announcer" role="status" aria-live="polite" className="sr-only" />
}
