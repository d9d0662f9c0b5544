// The browser that the browser tests drive: one that is here, or, on Debian, one that is fetched without root.
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ExpectedFailure } from './expected-failure.mjs'
import { fetchBrowser } from './fetch-browser.mjs'
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

/**
 * Gives { path, env }: what to start, and what its environment needs besides. `stream` hears what takes long.
 * The options are for its own tests.
 */
export async function findBrowser(stream, { env = process.env, usual = usualPlaces(env) } = {}) {
  const chosen = env.CHROME_PATH
  if (chosen !== undefined && chosen !== '') {
    if (isProgram(chosen)) return { path: chosen, env: {} }
    throw new ExpectedFailure(`CHROME_PATH is ${chosen}, and there is no program there. Correct it or unset it.`)
  }
  const here = usual.find(isProgram)
  if (here !== undefined) return { path: here, env: {} }
  if (canFetchFromDebian()) return fetchBrowser(stream)
  const advice = TO_INSTALL[process.platform] ?? TO_INSTALL.linux
  throw new ExpectedFailure(`The browser tests need Chrome, Chromium or Edge. ${advice}. Or set CHROME_PATH to one.`)
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
