// Markdown of ours as HTML. The parser is loaded when the first guide is read, not when the service starts.
import type { Tokens } from 'marked'

import { escapeHtml } from '../../core/html.ts'

/** `root` leads from the page to the root of the service. */
export async function guideHtml(markdown: string, root: string): Promise<string> {
  const { Marked } = await import('marked')
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const id = idOf(text)
        const inner = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1>${inner}</h1>\n`
        return `<h${depth} id="${id}"><a href="#${id}">${inner}</a></h${depth}>\n`
      },
      // What is wider than the page scrolls by itself, with the keyboard as well.
      code({ text, lang }: Tokens.Code) {
        const label = lang === 'sh' ? 'Commands' : 'Code'
        return `<pre tabindex="0" role="region" aria-label="${label}"><code>${escapeHtml(text)}</code></pre>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${escapeHtml(pageOf(href, root))}">${this.parser.parseInline(tokens)}</a>`
      },
    },
    hooks: {
      postprocess: (html: string) =>
        html
          .replaceAll('<table>', '<div class="wide" tabindex="0" role="region" aria-label="Table"><table>')
          .replaceAll('</table>', '</table></div>'),
    },
  })
  return marked.parse(markdown)
}

/** The files link to each other as files; the pages have no ending. */
function pageOf(href: string, root: string): string {
  return /^[\w-]+\.md(#|$)/.test(href) ? `${root}docs/${href.replace('.md', '')}` : href
}

function idOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
