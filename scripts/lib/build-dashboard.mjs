import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { filesBelow } from './build-inputs.mjs'
import { fingerprintsOf } from './build-stamp.mjs'
import { DASHBOARD, PAGES, dashboardInputs, isDashboardBuilt } from './is-dashboard-built.mjs'
import { takeLock } from './lock.mjs'
import { DIST } from './paths.mjs'
import { showPending, stepLine, wantsColour } from './step-line.mjs'
import { runTool } from './tools.mjs'

const LOCK = join(DIST, '.dashboard-lock')

/** Builds the pages when their sources changed since, and says so; otherwise it takes a few milliseconds. */
export async function ensureDashboardBuilt(stream) {
  if (isDashboardBuilt()) return
  const lock = await takeLock(LOCK, () => {})
  try {
    // Without its pages the service still works: /dashboard/ says what to do.
    if (!isDashboardBuilt()) await buildDashboard(stream)
  } finally {
    lock.release()
  }
}

/** Builds beside the pages that are there and puts the new ones in their place when they are whole. */
export async function buildDashboard(stream) {
  const startedAt = performance.now()
  const stamp = fingerprintsOf(dashboardInputs())
  const next = `${PAGES}.${process.pid}.new`
  const clearPending = showPending(stream, 'Dashboard', 'building')
  const args = ['build', DASHBOARD, '--outDir', next, '--logLevel', 'error']
  // Whoever builds with another one set would get the large and slow React that is meant for development.
  const { ok, output } = await runTool('vite/bin/vite.js', args, 'pipe', { NODE_ENV: 'production' })
  clearPending()
  if (!ok) {
    rmSync(next, { recursive: true, force: true })
    stream.write(
      `${output.trimEnd()}\n\n  ✖ The dashboard could not be built: see above. Try: npm run build:dashboard\n`,
    )
    return false
  }
  compressBelow(next)
  writeFileSync(join(next, '.built'), JSON.stringify(stamp))
  replacePages(next)
  const step = { label: 'Dashboard', detail: 'packages/dashboard/dist', ms: performance.now() - startedAt }
  stream.write(`${stepLine(step, wantsColour(stream))}\n`)
  return true
}

/** A directory cannot be replaced in one step; between the two there are no pages for an instant, and never half of them. */
function replacePages(next) {
  const old = `${PAGES}.${process.pid}.old`
  if (existsSync(PAGES)) renameSync(PAGES, old)
  renameSync(next, PAGES)
  rmSync(old, { recursive: true, force: true })
}

/** Once here instead of whenever somebody asks: the server sends what is there. */
function compressBelow(folder) {
  for (const path of filesBelow(folder)) {
    if (!/\.(js|css|html|svg|json)$/.test(path)) continue
    const bytes = readFileSync(path)
    if (bytes.length < 1024) continue
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
    writeFileSync(`${path}.gz`, gzipSync(bytes))
  }
}

/** `npm run build:dashboard`, whatever was there before. */
export async function runDashboardBuild() {
  const isDone = await buildDashboard(process.stdout)
  if (!isDone) process.exitCode = 1
}
