// Where the tests look for a browser, and what they say when there is none.
import { join } from 'node:path'
import { Writable } from 'node:stream'

import { describe, expect, it } from 'vitest'

interface Finder {
  readonly findBrowser: (
    stream: NodeJS.WritableStream,
    options: { env: Record<string, string>; usual?: readonly string[]; shells?: readonly string[] },
  ) => Promise<{ path: string; shell: { path: string } | null }>
  readonly usualPlaces: (env: Record<string, string>, platform: string) => string[]
}

const SCRIPT = join(import.meta.dirname, '../../../../scripts/lib/find-browser.mjs')
const quiet = new Writable({ write: (_chunk, _encoding, done) => done() })

describe('the browser of the tests', async () => {
  const { findBrowser, usualPlaces } = (await import(SCRIPT)) as Finder

  it('is the one that CHROME_PATH names', async () => {
    const found = await findBrowser(quiet, { env: { CHROME_PATH: process.execPath } })
    expect(found.path).toBe(process.execPath)
    expect(found.shell).toBe(null)
  })

  it('is never another one when CHROME_PATH names none', async () => {
    const asked = findBrowser(quiet, { env: { CHROME_PATH: '/nowhere/chrome' }, usual: [process.execPath] })
    await expect(asked).rejects.toThrow('CHROME_PATH is /nowhere/chrome, and there is no program there.')
  })

  it('is the first of those that are where browsers usually are', async () => {
    const places = ['/nowhere/chromium', process.execPath]
    const found = await findBrowser(quiet, { env: {}, usual: places, shells: places })
    expect(found.path).toBe(process.execPath)
    expect(found.shell?.path).toBe(process.execPath)
  })

  it.each([
    ['linux', { PATH: '/home/me/bin' }, '/home/me/bin/google-chrome'],
    ['darwin', { HOME: '/Users/me' }, '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
    ['win32', { PROGRAMFILES: 'C:\\Program Files' }, 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'],
  ])('is looked for on %s', (platform, env, place) => {
    expect(usualPlaces(env as Record<string, string>, platform)).toContain(place)
  })
})
