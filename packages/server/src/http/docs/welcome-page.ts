// What a person sees at the root of the service. Programs get the specification's JSON there.
import { SERVICE_NAME } from '../../core/service-version.ts'
import type { DocsVersions } from './docs-files.ts'
import { docsHead } from './docs-frame.ts'

const LEAD = 'Send pounds to UK bank accounts from your own USDC wallet, over Faster Payments.'

export function welcomePage(root: string, versions: DocsVersions): string {
  const ways = [
    ['dashboard/', 'Dashboard', 'Balance, payouts, invoices and the team.'],
    ['docs/quickstart', 'Quickstart', 'A first payout in minutes, with test money.'],
    ['docs', 'API reference', 'Every endpoint, with a sample that runs.'],
  ].map(([path, title, text]) => `<li><a href="${root}${path}"><strong>${title}</strong><span>${text}</span></a></li>`)
  return `${docsHead({ root, title: SERVICE_NAME, description: LEAD, versions })}
<body>
<main class="welcome">
<h1>${SERVICE_NAME}</h1>
<p class="lead">${LEAD}</p>
<ul class="ways">
${ways.join('\n')}
</ul>
<p>For programs: <a href="${root}openapi.json">OpenAPI 3.1</a> (<a href="${root}openapi.yaml">YAML</a>),
<a href="${root}postman.json">Postman</a>, <a href="${root}llms.txt">llms.txt</a>.</p>
</main>
</body>
</html>
`
}

/** A browser asks for HTML by name; curl and programs take anything, or ask for JSON. */
export function wantsPage(accept: string | undefined): boolean {
  const types = (accept ?? '').toLowerCase()
  return /text\/html(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(types) && !types.includes('application/json')
}
