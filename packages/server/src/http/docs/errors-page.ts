// /docs/errors: one section per code, at the address that every error body gives as its `doc_url`.
import type { ErrorCode } from '@kestrel/contract'
import { STATUS_CODES } from 'node:http'

import { escapeHtml } from '../../core/html.ts'
import { ERROR_CATALOGUE } from '../errors/error-catalogue.ts'
import { inTheSdk } from '../errors/money-moved.ts'
import { SERVICE_NAME } from '../../core/service-version.ts'
import { codesByStatus } from './codes-by-status.ts'
import { failureExample } from './failure-examples.ts'
import { codeInHtml } from './html.ts'
import { ICON } from './page-icon.ts'

export const ERRORS_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function errorsPage(root: string, options: { publicUrl: string; style: string }): string {
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Errors · ${SERVICE_NAME} API</title>
<meta name="description" content="Every error of the API: what happened, whether money moved, what to do.">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${root}docs/errors.css?v=${options.style}">
</head>
<body>
<a class="skip" href="#codes">Skip to the codes</a>
<header><a href="${root}docs">${SERVICE_NAME} API</a></header>
<main>
<h1>Errors</h1>
<p>Every failure has this shape. Let your program look at <code>code</code>: the codes stay, the messages may be worded
better one day. <code>details</code> is there for some codes only.</p>
<pre><code>${escapeHtml(sample(options.publicUrl))}</code></pre>
<nav id="codes" aria-label="Codes">
${codesByStatus().map(listedStatus).join('\n')}
</nav>
${codesByStatus()
  .flatMap(([, codes]) => codes)
  .map(section)
  .join('\n')}
</main>
<footer><a href="${root}docs">Back to the reference</a></footer>
</body>
</html>
`
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
