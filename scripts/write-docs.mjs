// Writes the documents under docs/ that are made from the program: openapi.json, errors.md, payout-states.md,
// and the alarms in operations.md.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { requireRecentNode } from './lib/check-node.mjs'
import { DIST, PACKAGES, ROOT } from './lib/paths.mjs'

requireRecentNode()
for (const [path, text] of Object.entries(await writtenDocs())) {
  const target = join(ROOT, path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
  process.stdout.write(`  ✔ ${path}\n`)
}

/** The documents come from TypeScript, which Node 20 does not read: it is bundled first. */
async function writtenDocs() {
  const esbuild = await import('esbuild')
  const entry = join(PACKAGES, 'server', 'src', 'http', 'written-docs.ts')
  // Beside the real bundle, so that npm packages are found from there; hidden, so that no build removes it.
  const bundle = join(DIST, `.write-docs-${process.pid}.mjs`)
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
    const module = await import(pathToFileURL(bundle).href)
    return await module.writtenDocs((path) => readFileSync(join(ROOT, path), 'utf8'))
  } finally {
    rmSync(bundle, { force: true })
    await esbuild.stop()
  }
}
