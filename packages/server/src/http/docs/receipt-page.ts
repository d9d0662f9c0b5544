// The page behind the link on a receipt. It needs no script and no cookie, and says no more than the receipt does.
import { escapeHtml } from '../../core/html.ts'
import { SERVICE_NAME } from '../../core/service-version.ts'
import type { DocsVersions } from './docs-files.ts'
import { docsHead } from './docs-frame.ts'

export interface ShownReceipt {
  readonly headline: string
  readonly outcome: string
  readonly hasArrived: boolean
  readonly isTest: boolean
  readonly rows: readonly (readonly [name: string, value: string])[]
}

export interface ReceiptPage {
  readonly root: string
  readonly versions: DocsVersions
  /** Null for what is no receipt of ours. */
  readonly shown: ShownReceipt | null
}

export function receiptPage({ root, versions, shown }: ReceiptPage): string {
  const title = titleOf(shown)
  return `${docsHead({ root, title: `${title} · ${SERVICE_NAME}`, description: 'Whether a receipt is real.', versions })}
<body>
<main class="receipt">
<p class="from">${SERVICE_NAME}</p>
<h1>${title}</h1>
${shown === null ? UNKNOWN : known(shown)}
</main>
</body>
</html>
`
}

/** A test must not look like a payment to somebody who reads only the first line. */
function titleOf(shown: ShownReceipt | null): string {
  if (shown === null) return 'Not a receipt of ours'
  return shown.isTest ? 'A test: no money moved' : 'We made this receipt'
}

const UNKNOWN = `<p class="lead">No signature of ours fits this link. It may have been typed or copied in part: scan the code again, or open the link from the PDF itself.</p>
<p>If it still says this, do not rely on the receipt. Ask the business that gave it to you.</p>`

function known({ headline, outcome, hasArrived, isTest, rows }: ShownReceipt): string {
  const list = rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`)
  const test = isTest ? '\n<p class="note">Somebody tried the service in its sandbox. Nobody was paid.</p>' : ''
  return `<p class="lead">${escapeHtml(headline)}</p>
<p class="outcome${hasArrived ? ' good' : ''}">${escapeHtml(outcome)}</p>${test}
<dl>
${list.join('\n')}
</dl>
<p class="note">This is the payout as it is now. Compare it with the receipt that you were given: whatever differs there happened
since, or was changed by somebody else. What it cost the sender is not shown here. Times are those of Europe/London.</p>`
}
