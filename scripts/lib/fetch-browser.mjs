// Chromium on a Debian machine that has none, without root: apt fetches the packages that are missing into a folder of
// the checkout, dpkg unpacks them there, and nothing outside is touched.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ExpectedFailure } from './expected-failure.mjs'
import { takeLock } from './lock.mjs'
import { ROOT } from './paths.mjs'
import { showPending, stepLine, wantsColour } from './step-line.mjs'

const HOME = join(ROOT, '.browser')
const UNPACKED = join(HOME, 'debian')
const LOCK = join(HOME, '.lock')
const STATUS = '/var/lib/dpkg/status'
/** The fonts stand in for those that the pages do not bring themselves. */
const PACKAGES = ['chromium', 'fonts-liberation']

export function canFetchBrowser() {
  return process.platform === 'linux' && existsSync('/usr/bin/apt-get') && existsSync(STATUS)
}

/** Gives { path, env } as findBrowser does. Fetches once, whoever else is starting at the same time. */
export async function fetchBrowser(stream) {
  if (!isFetched()) {
    const lock = await takeLock(LOCK, () => stream.write('  … waiting for another run to fetch Chromium\n'))
    try {
      if (!isFetched()) await fetchInto(stream, lock)
    } finally {
      lock.release()
    }
  }
  return fetched()
}

/** The folder gets its name when everything is in it, so it is there whole or not at all. */
const isFetched = () => existsSync(join(UNPACKED, 'usr/lib/chromium/chromium'))

function fetched() {
  // An empty entry would stand for the folder that we are in.
  const libraries = [...libraryFolders(), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  return {
    path: join(UNPACKED, 'usr/lib/chromium/chromium'),
    env: {
      FONTCONFIG_FILE: join(UNPACKED, 'fonts.conf'),
      ...(libraries === '' ? {} : { LD_LIBRARY_PATH: libraries }),
    },
  }
}

function libraryFolders() {
  const lib = join(UNPACKED, 'usr/lib')
  const machine = readdirSync(lib).filter((name) => name.endsWith('-linux-gnu'))
  const folders = machine.flatMap((name) => [join(lib, name), join(UNPACKED, 'lib', name)])
  // Some packages keep theirs in a folder that only their own postinst would have named to the loader.
  const nested = folders.flatMap((folder) => ['pulseaudio', 'blas', 'lapack'].map((name) => join(folder, name)))
  return [...folders, ...nested].filter((folder) => existsSync(folder))
}

async function fetchInto(stream, lock) {
  const startedAt = performance.now()
  const clearPending = showPending(stream, 'Browser', 'fetching Chromium, about 100 MB')
  const work = join(HOME, `work.${process.pid}`)
  try {
    const options = prepare(work)
    const onSpawn = (pid) => lock.addChild(pid)
    await run('apt-get', [...options, 'update'], onSpawn)
    const install = ['install', '--download-only', '--no-install-recommends', '--yes', ...PACKAGES]
    await run('apt-get', [...options, ...install], onSpawn)
    await unpack(work, onSpawn)
    rmSync(UNPACKED, { recursive: true, force: true })
    renameSync(join(work, 'root'), UNPACKED)
  } finally {
    clearPending()
    removeWork()
  }
  const step = { label: 'Browser', detail: 'Chromium in .browser', ms: performance.now() - startedAt }
  stream.write(`${stepLine(step, wantsColour(stream))}\n`)
}

/** Lists, cache and the record of what is installed are our own, so nothing needs root or is changed for others. */
function prepare(work) {
  removeWork()
  for (const folder of ['lists/partial', 'archives/partial', 'root']) mkdirSync(join(work, folder), { recursive: true })
  writeFileSync(join(work, 'status'), withoutBrowser(readFileSync(STATUS, 'utf8')))
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

/** A browser that was installed and is not where it belongs would not be fetched. */
function withoutBrowser(status) {
  return status
    .split('\n\n')
    .filter((entry) => !/^Package: (?:chromium|fonts-liberation)/.test(entry))
    .join('\n\n')
}

async function unpack(work, onSpawn) {
  const root = join(work, 'root')
  for (const name of readdirSync(join(work, 'archives')).filter((each) => each.endsWith('.deb'))) {
    await run('dpkg-deb', ['--extract', join(work, 'archives', name), root], onSpawn)
  }
  const folders = [join(UNPACKED, 'usr/share/fonts'), '/usr/share/fonts'].map((folder) => `<dir>${folder}</dir>`)
  const cache = `<cachedir>${join(HOME, 'font-cache')}</cachedir>`
  writeFileSync(join(root, 'fonts.conf'), `<?xml version="1.0"?><fontconfig>${folders.join('')}${cache}</fontconfig>\n`)
}

/** What an earlier run left that was killed goes as well. */
function removeWork() {
  for (const name of readdirSync(HOME).filter((each) => each.startsWith('work.'))) {
    rmSync(join(HOME, name), { recursive: true, force: true })
  }
}

function run(command, args, onSpawn) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' }
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks = []
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    child.on('error', (error) => reject(failure(command, error.message)))
    child.on('close', (code) => (code === 0 ? resolve() : reject(failure(command, Buffer.concat(chunks).toString()))))
    if (child.pid !== undefined) onSpawn(child.pid)
  })
}

function failure(command, output) {
  const said = output.trimEnd().split('\n').slice(-6).join('\n')
  return new ExpectedFailure(
    `${said}\n\n${command} could not fetch Chromium for the browser tests. Install it (apt-get install chromium) or set CHROME_PATH.`,
  )
}
