// `npm run cli:pack`. Builds the command line for integrators and packs it as a tarball that installs anywhere: artifacts, or
// the folder after --to.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildCli } from './lib/build-cli.mjs'
import { requireRecentNode } from './lib/check-node.mjs'
import { PACKAGES, ROOT } from './lib/paths.mjs'

requireRecentNode()
const CLI = join(PACKAGES, 'cli')
const at = process.argv.indexOf('--to')
const target = resolve(at === -1 ? join(ROOT, 'artifacts') : process.argv[at + 1])
const folder = join(target, `.cli-${process.pid}`)
try {
  mkdirSync(folder, { recursive: true })
  await buildCli(join(folder, 'kestrel-pay.cjs'))
  writePackage()
  const packed = npm('pack', folder, '--pack-destination', target, '--json')
  process.stdout.write(`${join(target, JSON.parse(packed)[0].filename)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function writePackage() {
  const { name, version, description, license, engines } = JSON.parse(readFileSync(join(CLI, 'package.json'), 'utf8'))
  const packed = { name, version, description, license, engines, bin: { 'kestrel-pay': 'kestrel-pay.cjs' } }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`)
  cpSync(join(CLI, 'README.md'), join(folder, 'README.md'))
}

function npm(...args) {
  // The npm that runs us, if one does: the one on the PATH may be another.
  const { npm_execpath: own } = process.env
  const [program, first] = own === undefined ? ['npm', []] : [process.execPath, [own]]
  return execFileSync(program, [...first, ...args, '--loglevel=error'], { encoding: 'utf8', cwd: ROOT })
}
