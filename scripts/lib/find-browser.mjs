// The browser that the browser tests drive: one that is here, or, on Debian, one that is fetched without root.
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ExpectedFailure } from './expected-failure.mjs'
import { fetchBrowser, fetchShell } from './fetch-browser.mjs'
import { canFetchFromDebian } from './fetch-debian.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge']

const MAC = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Chromium.app/Contents/MacOS/Chromium',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
]

const WINDOWS = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
]

const TO_INSTALL = {
  darwin: 'Install Google Chrome, for example: brew install --cask google-chrome',
  win32: 'Install Google Chrome or Microsoft Edge.',
  linux: 'Install Chromium with your package manager, for example: dnf install chromium',
}

/** Debian's own: its headless shell is another package, of the same version. */
const DEBIAN = '/usr/lib/chromium'

/**
 * Gives { path, env, shell }: what to start, what its environment needs besides, and the same of Chromium's headless shell,
 * which shows pages at half the cost but reads no PDF, or null. `stream` hears what takes long. The options are for its
 * own tests.
 */
export async function findBrowser(
  stream,
  { env = process.env, usual = usualPlaces(env), shells = usualShells(env) } = {},
) {
  const chosen = env.CHROME_PATH
  if (chosen !== undefined && chosen !== '') {
    if (isProgram(chosen)) return { path: chosen, env: {}, shell: null }
    throw new ExpectedFailure(`CHROME_PATH is ${chosen}, and there is no program there. Correct it or unset it.`)
  }
  const here = usual.find(isProgram)
  if (here !== undefined) return { path: here, env: {}, shell: await findShell(stream, shells) }
  if (canFetchFromDebian()) return fetchBrowser(stream)
  const advice = TO_INSTALL[process.platform] ?? TO_INSTALL.linux
  throw new ExpectedFailure(`The browser tests need Chrome, Chromium or Edge. ${advice}. Or set CHROME_PATH to one.`)
}

async function findShell(stream, shells) {
  const here = shells.find(isProgram)
  if (here !== undefined) return { path: here, env: {} }
  // Elsewhere than on Debian there is no such package.
  if (!existsSync(join(DEBIAN, 'chromium')) || !canFetchFromDebian()) return null
  try {
    return await fetchShell(stream)
  } catch (error) {
    if (!(error instanceof ExpectedFailure)) throw error
    stream.write(
      '  … Chromium’s headless shell could not be fetched: the whole browser shows the pages, at twice the cost\n',
    )
    return null
  }
}

function usualShells(env) {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean)
  return [...folders, DEBIAN].map((folder) => join(folder, 'chromium-headless-shell'))
}

/** Where browsers are when nobody chose another place. */
export function usualPlaces(env, platform = process.platform) {
  if (platform === 'darwin') {
    const folders = ['/Applications', join(env.HOME ?? '/', 'Applications')]
    return folders.flatMap((folder) => MAC.map((name) => join(folder, name)))
  }
  if (platform === 'win32') {
    const folders = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter(Boolean)
    return folders.flatMap((folder) => WINDOWS.map((name) => `${folder}\\${name}`))
  }
  const folders = [...(env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin'].filter(Boolean)
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...onPath, '/opt/google/chrome/chrome', '/opt/microsoft/msedge/msedge']
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return existsSync(path)
  } catch {
    return false
  }
}
