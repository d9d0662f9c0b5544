// Debian's packages for tests, without root: apt fetches those that are missing into a folder of the checkout, dpkg
// unpacks them there, and nothing outside is touched.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ExpectedFailure } from './expected-failure.mjs'
import { takeLock } from './lock.mjs'
import { showPending, stepLine, wantsColour } from './step-line.mjs'

const STATUS = '/var/lib/dpkg/status'

export function canFetchFromDebian() {
  return process.platform === 'linux' && existsSync('/usr/bin/apt-get') && existsSync(STATUS)
}

/**
 * Gives the folder in which the packages are unpacked. Fetches once, whoever else is starting at the same time. `wanted`
 * is { home, packages, label, name, size, advice, finish }: where to keep them, which, what to say of them while they come
 * and when they do not, and what is still to be done in the folder before it gets its name.
 */
export async function fetchFromDebian(stream, wanted) {
  const { home, name } = wanted
  const unpacked = join(home, 'debian')
  // The folder gets its name when everything is in it, so it is there whole or not at all.
  if (existsSync(unpacked)) return unpacked
  const lock = await takeLock(join(home, '.lock'), () => stream.write(`  … waiting for another run to fetch ${name}\n`))
  try {
    if (!existsSync(unpacked)) await fetchInto(stream, lock, { ...wanted, unpacked })
  } finally {
    lock.release()
  }
  return unpacked
}

async function fetchInto(stream, lock, { home, unpacked, packages, label, name, size, advice, finish }) {
  const startedAt = performance.now()
  const clearPending = showPending(stream, label, `fetching ${name}, about ${size}`)
  const work = join(home, `work.${process.pid}`)
  const run = (command, args) => runQuietly(command, args, { onSpawn: (pid) => lock.addChild(pid), name, advice })
  try {
    const options = prepare(home, work, packages)
    await run('apt-get', [...options, 'update'])
    const install = ['install', '--download-only', '--no-install-recommends', '--yes', ...packages]
    await run('apt-get', [...options, ...install])
    const root = join(work, 'root')
    for (const file of readdirSync(join(work, 'archives')).filter((each) => each.endsWith('.deb'))) {
      await run('dpkg-deb', ['--extract', join(work, 'archives', file), root])
    }
    finish?.(root, unpacked)
    renameSync(root, unpacked)
  } finally {
    clearPending()
    removeWork(home)
  }
  const step = { label, detail: `${name} fetched from Debian`, ms: performance.now() - startedAt }
  stream.write(`${stepLine(step, wantsColour(stream))}\n`)
}

/** Lists, cache and the record of what is installed are our own, so nothing needs root or is changed for others. */
function prepare(home, work, packages) {
  removeWork(home)
  for (const folder of ['lists/partial', 'archives/partial', 'root']) mkdirSync(join(work, folder), { recursive: true })
  writeFileSync(join(work, 'status'), without(packages, readFileSync(STATUS, 'utf8')))
  const settings = {
    'Dir::State': work,
    'Dir::State::lists': join(work, 'lists'),
    'Dir::State::status': join(work, 'status'),
    'Dir::Cache': work,
    'Dir::Cache::archives': join(work, 'archives'),
    'Debug::NoLocking': '1',
    // As root, apt would hand the download to a user that may not write here.
    'APT::Sandbox::User': '',
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
}

/** What was installed and is not where it belongs would not be fetched. */
function without(packages, status) {
  return status
    .split('\n\n')
    .filter((entry) => !packages.some((name) => entry.startsWith(`Package: ${name}`)))
    .join('\n\n')
}

/** What an earlier run left that was killed goes as well. */
function removeWork(home) {
  for (const name of readdirSync(home).filter((each) => each.startsWith('work.'))) {
    rmSync(join(home, name), { recursive: true, force: true })
  }
}

function runQuietly(command, args, { onSpawn, name, advice }) {
  const failure = (output) => {
    const said = output.trimEnd().split('\n').slice(-6).join('\n')
    return new ExpectedFailure(`${said}\n\n${command} could not fetch ${name} for the tests. ${advice}`)
  }
  return new Promise((resolve, reject) => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' }
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks = []
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    child.on('error', (error) => reject(failure(error.message)))
    child.on('close', (code) => (code === 0 ? resolve() : reject(failure(Buffer.concat(chunks).toString()))))
    if (child.pid !== undefined) onSpawn(child.pid)
  })
}
