// How long a request would have to wait while receipts are drawn: the delay of the event loop, with receipts drawn on the
// thread that answers requests and with receipts drawn in threads, in one run.
//
//   node bench/documents.mjs [receipts]
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

import { build } from 'esbuild'

import { ensureBuilt } from '../scripts/lib/build.mjs'

const ROOT = join(import.meta.dirname, '..')
const THREAD = join(ROOT, 'packages/server/dist/studio-thread.mjs')
const RECEIPTS = Number.parseInt(process.argv[2] ?? '200', 10)
const AT_ONCE = 12

await ensureBuilt(process.stdout)
const { createStudio, receiptPdf } = await loadKestrel()
const studio = createStudio(THREAD)
await Promise.all([receiptPdf(facts('warm')), studio.receipt('partner', facts('warm'))])
const here = await measure('on the same thread', (name) => receiptPdf(facts(name)))
const apart = await measure('in threads', (name) => studio.receipt(name, facts(name)))
const again = await measure('asked for again', (name) => studio.receipt(name, facts(name)), 'in threads')
await studio.close()
const ratio = (name) => (here[name] / apart[name]).toFixed(1)
print(
  `in threads: delay at the median ÷ ${ratio('p50')}, at the 99th percentile ÷ ${ratio('p99')}; receipts per second × ${(apart.rate / here.rate).toFixed(2)}, again × ${(again.rate / here.rate).toFixed(0)}`,
)

async function measure(what, draw, name = what) {
  const delays = []
  const run = { isOver: false }
  const probe = (async () => {
    while (!run.isOver) {
      const at = performance.now()
      await pause(1)
      delays.push(performance.now() - at - 1)
    }
  })()
  const startedAt = performance.now()
  let next = 0
  const line = async () => {
    while (next < RECEIPTS) {
      // Each comes with a request of its own.
      await nextTurn()
      await draw(`${name} ${next++}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, line))
  const rate = (RECEIPTS / (performance.now() - startedAt)) * 1000
  run.isOver = true
  await probe
  delays.sort((a, b) => a - b)
  const [p50, p99] = [0.5, 0.99].map((share) => delays[Math.floor(share * (delays.length - 1))])
  print(`${what}: delay p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; ${rate.toFixed(0)} receipts per second`)
  return { p50, p99, rate }
}

function facts(name) {
  return {
    payoutId: name,
    isSandbox: true,
    operatorName: 'Kestrel Payouts',
    partner: { name: 'Thistle Market', logo: null, color: '#2b4bd8' },
    headline: '£250.00 to Amara Okafor',
    outcome: 'Completed on 15 November 2026, 17:00.',
    createdAt: new Date(0),
    about: Array.from({ length: 7 }, (_, index) => [`Fact ${index}`, `${name} and what it says`]),
    costs: Array.from({ length: 5 }, (_, index) => [`Cost ${index}`, '£12.34']),
  }
}

/** What is measured, from the sources as they are. */
async function loadKestrel() {
  const folder = join(ROOT, 'packages/server/dist/bench-documents')
  const entry = ['studio', 'receipt-pdf']
    .map((name) => `export * from ${JSON.stringify(join(ROOT, `packages/server/src/documents/${name}.ts`))}`)
    .join('\n')
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    write: false,
  })
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'documents.mjs')
  await writeFile(path, outputFiles[0].contents)
  try {
    return await import(pathToFileURL(path).href)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function print(text) {
  process.stdout.write(`${text}\n`)
}
