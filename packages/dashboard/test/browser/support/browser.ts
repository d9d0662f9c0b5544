// The browsers of a worker. To start one takes as long as to open several pages, so each file uses what is running.
import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'

const running = new Map<string, Browser>()

/** Starts the browser where none is running yet; it ends with the worker. */
export async function browserFor({ inWhole = false }: { readonly inWhole?: boolean }): Promise<Browser> {
  const { shell, ...whole } = inject('browser')
  const { path, env } = inWhole ? whole : (shell ?? whole)
  const before = running.get(path)
  if (before?.isConnected() === true) return before
  // Without a graphics card, pretending to have one costs a tenth of the time.
  const browser = await chromium.launch({
    executablePath: path,
    env: { ...process.env, ...env },
    args: ['--disable-gpu'],
  })
  running.set(path, browser)
  return browser
}
