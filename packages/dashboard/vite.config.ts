import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const BASE = '/dashboard/'
const here = import.meta.dirname

export default defineConfig({
  root: here,
  base: BASE,
  plugins: [react(), tailwindcss(), themeBeforeFirstPaint()],
  resolve: {
    alias: {
      // The original writes a <style> element, which the Content-Security-Policy refuses.
      'react-style-singleton': resolve(here, 'src/parts/adopted-style.ts'),
    },
  },
  build: {
    outDir: resolve(here, 'dist'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // A data: address for a font or script would be refused by the Content-Security-Policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
})

/** The theme must be known before the first paint, and no script may stand in the page itself: a file of its own. */
function themeBeforeFirstPaint(): Plugin {
  const source = readFileSync(resolve(here, 'src/app/first-paint.js'), 'utf8')
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 8)
  const fileName = `assets/first-paint-${hash}.js`
  return {
    name: 'theme-before-first-paint',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source })
    },
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: `${BASE}${fileName}` }, injectTo: 'head-prepend' }],
  }
}
