// The library that tells a real process another time: one that is here, or, on Debian, one that is fetched without root.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { canFetchFromDebian, fetchFromDebian } from './fetch-debian.mjs'
import { ROOT } from './paths.mjs'

/** Its path, for LD_PRELOAD; null where there is none and none can be fetched. `stream` hears what takes long. */
export async function findFaketime(stream) {
  if (process.platform !== 'linux') return null
  const here = libraryBelow('/usr/lib')
  if (here !== null || !canFetchFromDebian()) return here
  const folder = await fetchFromDebian(stream, {
    home: join(ROOT, '.faketime'),
    packages: ['libfaketime'],
    label: 'Faketime',
    name: 'libfaketime',
    size: '100 KB',
    advice: 'Install it: apt-get install libfaketime.',
  })
  return libraryBelow(join(folder, 'usr/lib'))
}

function libraryBelow(lib) {
  const folders = [lib, ...readdirSync(lib).map((name) => join(lib, name))]
  const found = folders.map((folder) => join(folder, 'faketime/libfaketime.so.1')).find((path) => existsSync(path))
  return found ?? null
}
