import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

import { ensureDashboardBuilt } from './build-dashboard.mjs'
import { ensureBuilt } from './build.mjs'
import { TAKEN_IN } from './bundle.mjs'
import { ExpectedFailure, reportingFailures } from './expected-failure.mjs'
import { ensureInstalled } from './install.mjs'
import { STAMP } from './is-built.mjs'
import { DIST, NODE_MODULES, PACKAGES, ROOT } from './paths.mjs'

/** What the program needs beside its own code, below packages/. */
const FOLDERS = ['server/migrations', 'server/guides', 'dashboard/dist']

/** Not needed to run: the bundle has it, it builds, or it is the database of `npm start`. */
const LEFT_OUT = new Set([...TAKEN_IN, 'acorn', 'esbuild'])

/** In packages that are needed: what only developers read. */
const IDLE = /\.(map|md|markdown|d\.[cm]?ts|tsbuildinfo)$|(^|\/)(test|tests|docs|examples?|\.github)(\/|$)/i

export async function runPackImage() {
  await reportingFailures(async () => {
    const [given] = process.argv.slice(2)
    if (given === undefined) throw new ExpectedFailure('Name the folder: npm run image:pack -- FOLDER')
    await ensureInstalled('full', process.stderr)
    const bytes = await packImage(resolve(given))
    process.stdout.write(`${resolve(given)} ${(bytes / 1e6).toFixed(1)} MB\n`)
  })
}

/** Fills a folder that is empty or not there. Returns its size in bytes. */
export async function packImage(folder) {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new ExpectedFailure(`${folder} is not empty. Name one that is, or that is not there.`)
  }
  await ensureDashboardBuilt(process.stderr)
  await ensureBuilt(process.stderr)
  const dist = join(folder, 'packages/server/dist')
  mkdirSync(dist, { recursive: true })
  for (const name of builtFiles()) cpSync(join(DIST, name), join(dist, name))
  for (const part of FOLDERS) cpSync(join(PACKAGES, part), join(folder, 'packages', part), { recursive: true })
  for (const name of neededPackages()) copyPackage(name, folder)
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name, version, private: true, type: 'module' })}\n`)
  return sizeOf(folder)
}

/** Only what the last build made: older chunks stay beside it for servers that still run. */
function builtFiles() {
  const { outputs } = JSON.parse(readFileSync(STAMP, 'utf8'))
  return outputs.filter((name) => !name.endsWith('.map'))
}

/** The server's packages that are not in the bundle, with all that they need. */
function neededPackages() {
  const { dependencies } = JSON.parse(readFileSync(join(PACKAGES, 'server/package.json'), 'utf8'))
  const wanted = Object.keys(dependencies).filter((name) => !LEFT_OUT.has(name) && !name.startsWith('@kestrel/'))
  const needed = new Set()
  const visit = (name) => {
    const manifest = join(NODE_MODULES, name, 'package.json')
    if (needed.has(name) || !existsSync(manifest)) return
    needed.add(name)
    for (const each of Object.keys(JSON.parse(readFileSync(manifest, 'utf8')).dependencies ?? {})) visit(each)
  }
  wanted.forEach(visit)
  return needed
}

function copyPackage(name, folder) {
  const from = join(NODE_MODULES, name)
  const isWanted = (path) => path === from || !IDLE.test(relative(from, path))
  cpSync(from, join(folder, 'node_modules', name), { recursive: true, filter: isWanted })
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .filter((stat) => stat.isFile())
    .reduce((sum, { size }) => sum + size, 0)
}
