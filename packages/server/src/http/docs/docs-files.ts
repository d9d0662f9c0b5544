// What our pages of documentation load: a style, a script and the typeface of the dashboard.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

import { DOCS_SCRIPT } from './docs-script.ts'
import { DOCS_STYLE, barStyle } from './docs-style.ts'
import { once } from './made-once.ts'
import { servedAsset } from './served-asset.ts'

const CSS = 'text/css; charset=utf-8'

const sans = font('geist')
const mono = font('geist-mono')

const bar = once(async () => servedAsset(CSS, barStyle({ sans: (await sans()).version, mono: (await mono()).version })))
const style = once(async () => servedAsset(CSS, DOCS_STYLE))
const script = once(async () => servedAsset('text/javascript; charset=utf-8', DOCS_SCRIPT))

/** By their addresses. */
export const DOCS_FILES = {
  '/docs/bar.css': bar,
  '/docs/docs.css': style,
  '/docs/docs.js': script,
  '/docs/fonts/geist.woff2': sans,
  '/docs/fonts/geist-mono.woff2': mono,
}

/** The versions by which a page names its files, so that a browser keeps each for ever. */
export interface DocsVersions {
  readonly bar: string
  readonly style: string
  readonly script: string
}

export async function docsVersions(): Promise<DocsVersions> {
  return { bar: (await bar()).version, style: (await style()).version, script: (await script()).version }
}

/** As its package ships it. */
function font(name: 'geist' | 'geist-mono') {
  const file = `@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`
  return once(async () => servedAsset('font/woff2', await readFile(createRequire(import.meta.url).resolve(file))))
}
