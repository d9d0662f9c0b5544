// Chromium on a Debian machine that has none.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetchFromDebian } from './fetch-debian.mjs'
import { ROOT } from './paths.mjs'

const HOME = join(ROOT, '.browser')
const PROGRAM = 'usr/lib/chromium/chromium'
const SHELL = 'usr/lib/chromium/chromium-headless-shell'

/** Gives { path, env, shell } as findBrowser does. */
export async function fetchBrowser(stream) {
  const folder = await fetchFromDebian(stream, {
    home: HOME,
    // The fonts stand in for those that the pages do not bring themselves.
    packages: ['chromium', 'chromium-headless-shell', 'fonts-liberation'],
    label: 'Browser',
    name: 'Chromium',
    size: '160 MB',
    advice: 'Install it (apt-get install chromium) or set CHROME_PATH.',
    finish: nameFonts,
  })
  const env = { FONTCONFIG_FILE: join(folder, 'fonts.conf'), ...librariesOf(folder) }
  const shell = join(folder, SHELL)
  // What was fetched before the shell was wanted has none.
  return { path: join(folder, PROGRAM), env, shell: existsSync(shell) ? { path: shell, env } : null }
}

/** Gives { path, env } of the headless shell alone, for a machine that has Chromium. */
export async function fetchShell(stream) {
  const folder = await fetchFromDebian(stream, {
    home: join(HOME, 'shell'),
    // The shell wants what both need beside itself.
    packages: ['chromium-headless-shell', 'chromium-common'],
    label: 'Browser',
    name: 'Chromium’s headless shell',
    size: '90 MB',
    advice: 'Install it: apt-get install chromium-headless-shell.',
  })
  return { path: join(folder, SHELL), env: librariesOf(folder) }
}

function librariesOf(folder) {
  // An empty entry would stand for the folder that we are in.
  const libraries = [...libraryFolders(folder), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  return libraries === '' ? {} : { LD_LIBRARY_PATH: libraries }
}

function nameFonts(folder, itsName) {
  const fonts = [join(itsName, 'usr/share/fonts'), '/usr/share/fonts'].map((each) => `<dir>${each}</dir>`)
  const cache = `<cachedir>${join(HOME, 'font-cache')}</cachedir>`
  writeFileSync(join(folder, 'fonts.conf'), `<?xml version="1.0"?><fontconfig>${fonts.join('')}${cache}</fontconfig>\n`)
}

function libraryFolders(folder) {
  const lib = join(folder, 'usr/lib')
  const machine = readdirSync(lib).filter((name) => name.endsWith('-linux-gnu'))
  const folders = machine.flatMap((name) => [join(lib, name), join(folder, 'lib', name)])
  // Some packages keep theirs in a folder that only their own postinst would have named to the loader.
  const nested = folders.flatMap((each) => ['pulseaudio', 'blas', 'lapack'].map((name) => join(each, name)))
  return [...folders, ...nested].filter((each) => existsSync(each))
}
