// Writes the documents under docs/ that are made from the program: openapi.json, errors.md, payout-states.md,
// the alarms in operations.md, and the types of the SDK.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { requireRecentNode } from './lib/check-node.mjs'
import { DIST, PACKAGES, ROOT } from './lib/paths.mjs'

requireRecentNode()
const esbuild = await import('esbuild')
const read = (path) => readFileSync(join(ROOT, path), 'utf8')
const { writtenDocs } = await bundled(join(PACKAGES, 'server', 'src', 'http', 'written-docs.ts'))
write(await writtenDocs(read))
// The SDK is made from the document that was just written.
const { sdkSources } = await bundled(join(PACKAGES, 'sdk', 'generate', 'sdk-sources.ts'))
write(sdkSources(JSON.parse(read('docs/openapi.json'))))
await esbuild.stop()

function write(texts) {
  for (const [path, text] of Object.entries(texts)) {
    const target = join(ROOT, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
    process.stdout.write(`  ✔ ${path}\n`)
  }
}

/** The documents come from TypeScript, which Node 20 does not read: it is bundled first. */
async function bundled(entry) {
  // Beside the real bundle, so that npm packages are found from there; hidden, so that no build removes it.
  const bundle = join(DIST, `.write-docs-${process.pid}-${basename(entry)}.mjs`)
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
