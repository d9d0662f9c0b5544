import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DIST, PACKAGES } from './paths.mjs'

/** Imports TypeScript, which Node 20 does not read: it is bundled first. Call esbuild's `stop` when all is imported. */
export async function bundled(entry) {
  const esbuild = await import('esbuild')
  // Beside the real bundle, so that npm packages are found from there; hidden, so that no build removes it.
  const bundle = join(DIST, `.bundled-${process.pid}-${basename(entry)}.mjs`)
  try {
    await esbuild.build({
      entryPoints: [entry],
      outfile: bundle,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      packages: 'external',
      alias: { '@kestrel/contract': join(PACKAGES, 'contract', 'src', 'index.ts') },
    })
    return await import(pathToFileURL(bundle).href)
  } finally {
    rmSync(bundle, { force: true })
  }
}
