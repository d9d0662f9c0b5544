// /docs: the interactive reference. Everything it loads comes from here; the policy forbids anything else.
import { SERVICE_NAME } from '../../core/service-version.ts'
import { docsBar } from './docs-frame.ts'
import { ICON } from './page-icon.ts'

/** The reference writes styles of its own into the page; scripts come from our files and from nowhere else. */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export interface ReferenceFiles {
  readonly library: string
  readonly script: string
  readonly style: string
  readonly bar: string
}

/** `root` leads to the root of the service; the files are named by their versions. */
export function referencePage(root: string, versions: ReferenceFiles): string {
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${SERVICE_NAME} API</title>
<meta name="description" content="Send pounds to UK bank accounts from your own USDC wallet.">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${root}docs/bar.css?v=${versions.bar}">
<link rel="stylesheet" href="${root}docs/reference.css?v=${versions.style}">
<script defer src="${root}docs/scalar.js?v=${versions.library}"></script>
<script defer src="${root}docs/reference.js?v=${versions.script}"></script>
</head>
<body>
${docsBar(root, 'reference')}
<div id="reference">
<main class="waiting">
<h1>${SERVICE_NAME} API</h1>
<noscript><p>This page needs JavaScript.</p></noscript>
<p>The same in other forms: <a href="${root}openapi.json">the OpenAPI document</a>,
<a href="${root}docs/quickstart">the guides</a> and <a href="${root}docs/errors">every error explained</a>.</p>
</main>
</div>
</body>
</html>
`
}
