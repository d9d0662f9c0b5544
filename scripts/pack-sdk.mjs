// `npm run sdk:pack`. Builds the SDK and packs it as a tarball that installs anywhere: artifacts, or the folder after --to.
// With --into it is put into that folder instead, without its types, as an example of this repository uses it.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { requireRecentNode } from './lib/check-node.mjs'
import { reportingFailures } from './lib/expected-failure.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { NODE_MODULES, PACKAGES, ROOT } from './lib/paths.mjs'

requireRecentNode()
const SDK = join(PACKAGES, 'sdk')
const ENTRIES = [
  { as: '.', file: 'index' },
  { as: './verify', file: 'verify' },
]
const given = (name) => (process.argv.includes(name) ? resolve(process.argv[process.argv.indexOf(name) + 1]) : null)
const place = given('--into')
const target = place === null ? (given('--to') ?? join(ROOT, 'artifacts')) : dirname(place)
const folder = join(target, `.sdk-${process.pid}`)
// Types are written by TypeScript, which `npm start` does not install.
if (place === null) await reportingFailures(() => ensureInstalled('full', process.stderr))
try {
  mkdirSync(folder, { recursive: true })
  await writeProgram()
  if (place === null) pack()
  else putThere()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function putThere() {
  writePackage()
  rmSync(place, { recursive: true, force: true })
  renameSync(folder, place)
}

function pack() {
  writeTypes()
  writePackage()
  const packed = npm('pack', folder, '--pack-destination', target, '--json')
  process.stdout.write(`${join(target, JSON.parse(packed)[0].filename)}\n`)
}

/** A file per entry, readable: who looks for an error in it should find what was written. */
async function writeProgram() {
  const esbuild = await import('esbuild')
  await esbuild.build({
    entryPoints: ENTRIES.map(({ file }) => join(SDK, 'src', `${file}.ts`)),
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    legalComments: 'none',
  })
  await esbuild.stop()
}

function writeTypes() {
  const options = [
    '--declaration',
    '--emitDeclarationOnly',
    '--noEmit',
    'false',
    '--outDir',
    folder,
    '--rootDir',
    join(SDK, 'src'),
  ]
  const settings = [
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--skipLibCheck',
    '--types',
    'node',
  ]
  const own = ['--allowImportingTsExtensions', '--verbatimModuleSyntax', '--ignoreConfig']
  const tsc = join(NODE_MODULES, 'typescript', 'bin', 'tsc')
  execFileSync(
    process.execPath,
    [tsc, ...options, ...settings, ...own, ...ENTRIES.map(({ file }) => join(SDK, 'src', `${file}.ts`))],
    {
      stdio: 'inherit',
    },
  )
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const path = join(folder, name)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
  }
}

function writePackage() {
  const { name, version, description, license, type, engines } = JSON.parse(
    readFileSync(join(SDK, 'package.json'), 'utf8'),
  )
  const exports = Object.fromEntries(
    ENTRIES.map(({ as, file }) => [as, { types: `./${file}.d.ts`, default: `./${file}.js` }]),
  )
  const packed = { name, version, description, license, type, engines, sideEffects: false, exports }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`)
  cpSync(join(SDK, 'README.md'), join(folder, 'README.md'))
}

function npm(...args) {
  // The npm that runs us, if one does: the one on the PATH may be another.
  const { npm_execpath: own } = process.env
  const [program, first] = own === undefined ? ['npm', []] : [process.execPath, [own]]
  return execFileSync(program, [...first, ...args, '--loglevel=error'], { encoding: 'utf8', cwd: ROOT })
}
