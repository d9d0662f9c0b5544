// What the guides and the list of errors have around them: where one is, where else one can go, and the way to the dashboard.
import { escapeHtml } from '../../core/html.ts'
import { SERVICE_NAME } from '../../core/service-version.ts'
import type { DocsVersions } from './docs-files.ts'
import { GUIDES } from './guides.ts'
import { ICON } from './page-icon.ts'

export const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export interface DocsPage {
  /** The path from the page to the root of the service. */
  readonly root: string
  /** Its name under /docs, such as `quickstart`. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly main: string
  readonly versions: DocsVersions
}

export function docsPage({ root, name, title, description, main, versions }: DocsPage): string {
  const isGuide = GUIDES.some((guide) => guide.name === name)
  return `${docsHead({ root, title: `${title} · ${SERVICE_NAME} API`, description, versions })}
<body>
<a class="skip" href="#content">Skip to the content</a>
${docsBar(root, isGuide ? 'guides' : 'errors')}
<div class="columns">
<nav class="side" aria-label="Guides"><ul>
${GUIDES.map((guide) => `<li>${linkTo(`${root}docs/${guide.name}`, guide.title, guide.name === name)}</li>`).join('\n')}
</ul></nav>
<main id="content">
${main}
<footer><a href="${root}docs/${name}.md">This page as Markdown</a></footer>
</main>
</div>
</body>
</html>
`
}

export function docsHead(page: Pick<DocsPage, 'root' | 'title' | 'description' | 'versions'>): string {
  const { root, versions } = page
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)}</title>
<meta name="description" content="${escapeHtml(page.description)}">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${root}docs/bar.css?v=${versions.bar}">
<link rel="stylesheet" href="${root}docs/docs.css?v=${versions.style}">
<script defer src="${root}docs/docs.js?v=${versions.script}"></script>
</head>`
}

type Part = 'guides' | 'reference' | 'errors'

/** The bar at the top of every page. */
export function docsBar(root: string, current: Part | null): string {
  const links: readonly [Part, string, string][] = [
    ['guides', `${root}docs/quickstart`, 'Guides'],
    ['reference', `${root}docs`, 'Reference'],
    ['errors', `${root}docs/errors`, 'Errors'],
  ]
  return `<header class="bar"><a class="home" href="${root}">${SERVICE_NAME}</a>
<nav aria-label="Documentation">${links.map(([part, href, text]) => linkTo(href, text, part === current)).join(' ')}</nav>
<a class="out" href="${root}dashboard/">Dashboard</a></header>`
}

function linkTo(href: string, text: string, isCurrent: boolean): string {
  return `<a href="${href}"${isCurrent ? ' aria-current="page"' : ''}>${text}</a>`
}
