// The pages where the API explains itself. None loads anything from another host.
import type { FastifyInstance } from 'fastify'

import type { OpenApiDocument } from './complete-document.ts'
import { DOCS_FILES, docsVersions } from './docs-files.ts'
import { DOCS_POLICY, docsPage } from './docs-frame.ts'
import { errorsMarkdown } from './errors-markdown.ts'
import { errorsPage } from './errors-page.ts'
import { guideHtml } from './guide-html.ts'
import { GUIDES, type GuidesFrom, guideMarkdown } from './guides.ts'
import { llmsText } from './llms-text.ts'
import { type LoadFor, once, pageByRoot, sendUnder } from './made-once.ts'
import { postmanCollection } from './postman-collection.ts'
import { REFERENCE_POLICY, referencePage } from './reference-page.ts'
import { REFERENCE_SCRIPT } from './reference-script.ts'
import { REFERENCE_STYLE } from './reference-style.ts'
import { readScalarLibrary } from './scalar-library.ts'
import { servedAsset } from './served-asset.ts'

const JAVASCRIPT = 'text/javascript; charset=utf-8'
const CSS = 'text/css; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'
const YAML = 'application/yaml; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'

type Serve = (url: string, load: LoadFor, policy?: string) => void

export function addDocsRoutes(app: FastifyInstance, from: GuidesFrom): void {
  const { publicUrl } = from
  const serve: Serve = (url, load, policy = DOCS_POLICY) =>
    app.get(url, {
      config: { auth: 'none' },
      schema: { hide: true },
      handler: async (request, reply) => sendUnder(policy, await load(request), request, reply),
    })
  for (const [url, load] of Object.entries(DOCS_FILES)) serve(url, load)
  addReference(serve)
  addGuides(serve, from)
  addErrors(serve, publicUrl)
  addForPrograms(serve, publicUrl, () => app.swagger() as unknown as OpenApiDocument)
}

function addReference(serve: Serve): void {
  const script = servedAsset(JAVASCRIPT, REFERENCE_SCRIPT)
  const style = servedAsset(CSS, REFERENCE_STYLE)
  const library = once(async () => servedAsset(JAVASCRIPT, await readScalarLibrary()))
  const reference = pageByRoot(async (root) => {
    const versions = { library: (await library()).version, script: script.version, style: style.version }
    return referencePage(root, { ...versions, bar: (await docsVersions()).bar })
  })
  serve('/docs', reference, REFERENCE_POLICY)
  serve('/docs/scalar.js', library)
  serve('/docs/reference.js', async () => script)
  serve('/docs/reference.css', async () => style)
}

/** Each as a page, and as Markdown under the same name. */
function addGuides(serve: Serve, from: GuidesFrom): void {
  for (const { name, title, summary } of GUIDES) {
    const page = pageByRoot(async (root) => {
      const main = await guideHtml(await guideMarkdown(name, from), root)
      return docsPage({ root, name, title, description: summary, main, versions: await docsVersions() })
    })
    const markdown = once(async () => servedAsset(MARKDOWN, await guideMarkdown(name, from)))
    serve(`/docs/${name}`, page)
    serve(`/docs/${name}.md`, markdown)
  }
}

function addErrors(serve: Serve, publicUrl: string): void {
  const page = pageByRoot(async (root) => errorsPage(root, { publicUrl, versions: await docsVersions() }))
  const markdown = once(async () => servedAsset(MARKDOWN, errorsMarkdown(publicUrl)))
  serve('/docs/errors', page)
  serve('/docs/errors.md', markdown)
}

function addForPrograms(serve: Serve, publicUrl: string, document: () => OpenApiDocument): void {
  const json = once(async () => servedAsset(JSON_TYPE, JSON.stringify(document())))
  const yaml = once(async () => {
    const { stringify } = await import('yaml')
    return servedAsset(YAML, stringify(document(), { aliasDuplicateObjects: false }))
  })
  const postman = once(async () =>
    servedAsset(JSON_TYPE, JSON.stringify(postmanCollection(document(), publicUrl), null, 2)),
  )
  const llms = once(async () => servedAsset(TEXT, llmsText(publicUrl)))
  serve('/openapi.json', json)
  serve('/openapi.yaml', yaml)
  serve('/postman.json', postman)
  serve('/llms.txt', llms)
}
