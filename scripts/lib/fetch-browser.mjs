// Chromium on a Debian machine that has none.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetchFromDebian } from './fetch-debian.mjs'
import { ROOT } from './paths.mjs'

const HOME = join(ROOT, '.browser')

/** Gives { path, env } as findBrowser does. */
export async function fetchBrowser(stream) {
  const folder = await fetchFromDebian(stream, {
    home: HOME,
    // The fonts stand in for those that the pages do not bring themselves.
    packages: ['chromium', 'fonts-liberation'],
    label: 'Browser',
    name: 'Chromium',
    size: '100 MB',
    advice: 'Install it (apt-get install chromium) or set CHROME_PATH.',
    finish: nameFonts,
  })
  // An empty entry would stand for the folder that we are in.
  const libraries = [...libraryFolders(folder), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  return {
    path: join(folder, 'usr/lib/chromium/chromium'),
    env: {
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
      ...(libraries === '' ? {} : { LD_LIBRARY_PATH: libraries }),
    },
  }
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
