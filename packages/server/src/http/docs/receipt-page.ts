// The page behind the link on a receipt. It needs no script and no cookie, and says no more than the receipt does.
import type { PayoutStatus } from '@kestrel/contract'

import { escapeHtml } from '../../core/html.ts'
import { SERVICE_NAME } from '../../core/service-version.ts'
import type { DocsVersions } from './docs-files.ts'
import { docsHead } from './docs-frame.ts'

export interface ShownReceipt {
  readonly headline: string
  readonly outcome: string
  readonly status: PayoutStatus
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

/** What did not arrive, and a test, must not look like a payment to somebody who reads only the first line. */
function titleOf(shown: ShownReceipt | null): string {
  if (shown === null) return 'Not a receipt of ours'
  return shown.isTest ? 'A test: no money moved' : TITLES[shown.status]
}

const TITLES: Readonly<Record<PayoutStatus, string>> = {
  pending: 'Not confirmed yet',
  processing: 'Not confirmed yet',
  completed: 'We made this payment',
  failed: 'This payment failed',
  cancelled: 'This payment was cancelled',
  returned: 'This payment came back',
}

const UNKNOWN = `<p class="lead">No receipt of ours fits this link. It may have been typed or copied in part: scan the code again, or open the link from the PDF itself.</p>
<p>If it still says this, do not rely on the receipt. Ask the business that gave it to you.</p>`

function known({ headline, outcome, status, isTest, rows }: ShownReceipt): string {
  const list = rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`)
  const test = isTest ? '\n<p class="note">Somebody tried the service in its sandbox. Nobody was paid.</p>' : ''
  return `<p class="lead">${escapeHtml(headline)}</p>
<p class="outcome${status === 'completed' && !isTest ? ' good' : ''}">${escapeHtml(outcome)}</p>${test}
<dl>
${list.join('\n')}
</dl>
<p class="note">This is the payout as it is now. Compare it with the receipt that you were given: whatever differs there happened
since, or was changed by somebody else. The sender’s name is the one it has today. What it cost is not shown here. Times are those of Europe/London.</p>`
}
