// /docs/errors: one section per code, at the address that every error body gives as its `doc_url`.
import type { ErrorCode } from '@kestrel/contract'
import { STATUS_CODES } from 'node:http'

import { escapeHtml } from '../../core/html.ts'
import { ERROR_CATALOGUE } from '../errors/error-catalogue.ts'
import { inTheSdk } from '../errors/money-moved.ts'
import { codesByStatus } from './codes-by-status.ts'
import type { DocsVersions } from './docs-files.ts'
import { docsPage } from './docs-frame.ts'
import { failureExample } from './failure-examples.ts'
import { codeInHtml } from './html.ts'

export function errorsPage(root: string, options: { publicUrl: string; versions: DocsVersions }): string {
  return docsPage({
    root,
    name: 'errors',
    title: 'Errors',
    description: 'Every error of the API: what happened, whether money moved, what to do.',
    versions: options.versions,
    main: `<h1>Errors</h1>
<p>Every failure has this shape. Let your program look at <code>code</code>: the codes stay, the messages may be worded
better one day. <code>details</code> is there for some codes only. With any code, <code>details.earlier_attempt</code> says that the bank
refused an earlier payout with this <code>Idempotency-Key</code> and may have made it all the same: this request sent nothing,
that one perhaps did.</p>
<pre class="wraps"><code>${escapeHtml(sample(options.publicUrl))}</code></pre>
<nav class="codes" id="codes" aria-label="Codes">
${codesByStatus().map(listedStatus).join('\n')}
</nav>
${codesByStatus()
  .flatMap(([, codes]) => codes)
  .map(section)
  .join('\n')}`,
  })
}

function sample(publicUrl: string): string {
  return JSON.stringify(failureExample('insufficient_funds', publicUrl), null, 2)
}

function listedStatus([status, codes]: readonly [number, readonly ErrorCode[]]): string {
  const links = codes.map((code) => `<li><a href="#${code}">${code}</a></li>`)
  return `<div><h2>${status} <span>${STATUS_CODES[status]}</span></h2><ul>${links.join('')}</ul></div>`
}

function section(code: ErrorCode): string {
  const { status, happened, money, todo } = ERROR_CATALOGUE[code]
  return `<section id="${code}" aria-labelledby="${code}-title">
<h2 id="${code}-title"><a href="#${code}">${code}</a> <span>${status} ${STATUS_CODES[status]}</span></h2>
<dl>
<dt>What happened</dt><dd>${codeInHtml(happened)}</dd>
<dt>Did money move?</dt><dd>${codeInHtml(`${money.text} ${inTheSdk(money)}`)}</dd>
<dt>What to do</dt><dd>${codeInHtml(todo)}</dd>
</dl>
</section>`
}
