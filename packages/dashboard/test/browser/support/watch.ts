// What no page may do, whatever a test is about.
import type { BrowserContext } from 'playwright-core'

/** A status that is answered, no answer at all, or a library that tries whether it may run text as code, and may not. */
export type Expected = number | 'silence' | 'eval refused'

interface Watching {
  readonly url: string
  readonly expects: ReadonlySet<Expected>
  readonly problems: string[]
}

const REPORTS_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) =>
  console.error('refused by the Content-Security-Policy: ' + event.violatedDirective + ' ' + event.blockedURI))`

/** No error on the console, nothing against the Content-Security-Policy, and no other host. */
export function watch(context: BrowserContext, { url, expects, problems }: Watching): void {
  void context.addInitScript(REPORTS_VIOLATIONS)
  // Somebody who is not signed in is told so by a 401.
  const isAllowed = (answer: Expected) => answer === 401 || expects.has(answer)
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const status = /^Failed to load resource: .*status of (\d{3})/.exec(message.text())?.[1]
    if (status !== undefined && isAllowed(Number(status))) return
    if (/net::ERR_(CONNECTION_RESET|INTERNET_DISCONNECTED)/.test(message.text()) && isAllowed('silence')) return
    if (/Content-Security-Policy: script-src eval/.test(message.text()) && isAllowed('eval refused')) return
    problems.push(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) => problems.push(`thrown: ${error.error().message}`))
  context.on('request', (request) => {
    // The browser's own reader of PDFs loads itself from inside the browser.
    const isOwn = request.url().startsWith(`${url}/`) || /^(data|blob|chrome|chrome-extension):/.test(request.url())
    if (!isOwn) problems.push(`asked another host: ${request.url()}`)
  })
}
