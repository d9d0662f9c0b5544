// Writes the documents under docs/ that are made from the program: openapi.json, errors.md, payout-states.md, the alarms in
// operations.md, promises.md, and the types of the SDK.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundled } from './lib/bundled.mjs'
import { requireRecentNode } from './lib/check-node.mjs'
import { PACKAGES, ROOT } from './lib/paths.mjs'

requireRecentNode()
const esbuild = await import('esbuild')
const read = (path) => readFileSync(join(ROOT, path), 'utf8')
const { writtenDocs } = await bundled(join(PACKAGES, 'server', 'src', 'http', 'written-docs.ts'))
write(await writtenDocs(read))
const { writtenPromises } = await bundled(join(PACKAGES, 'server', 'test', 'prove', 'written-promises.ts'))
write(writtenPromises(read))
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
