// What goes over the wire while a page is looked at: held back, lost, or waited for.
import type { Page, Route } from 'playwright-core'

const PAYOUTS = /\/v1\/payouts\?/

/** Whatever else the page reads under that address goes on as ever: only the order to pay is met. */
async function meetPayout(page: Page, meet: (route: Route) => Promise<void>): Promise<void> {
  let isMet = false
  await page.route(PAYOUTS, async (route) => {
    if (isMet || route.request().method() !== 'POST') return route.fallback()
    isMet = true
    return meet(route)
  })
}

/** Keeps the payout on its way until it is let go. */
export async function holdBackPayout(page: Page): Promise<() => void> {
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  await meetPayout(page, (route) => isReleased.then(() => route.fallback()))
  return () => release()
}

/** Keeps every price on its way until they are let go. */
export async function holdBackQuotes(page: Page): Promise<() => void> {
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/v1\/quotes\?/, (route) => isReleased.then(() => route.fallback()))
  return () => release()
}

/** The server does its work, and the page never hears of it. Resolves when the work is done. */
export async function loseAnswerOfPayout(page: Page): Promise<{ readonly arrived: Promise<void> }> {
  let done = () => {}
  const arrived = new Promise<void>((resolve) => {
    done = resolve
  })
  await meetPayout(page, async (route) => {
    await route.fetch()
    done()
  })
  return { arrived }
}

/** The server does its work, and the connection breaks before the answer. */
export function breakAnswerOfPayout(page: Page): Promise<void> {
  return meetPayout(page, async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
}

/** Opens a page and waits until it is told of changes: what happens before that, it does not hear of. */
export async function openListening(page: Page, open: () => Promise<void>): Promise<void> {
  const stream = page.waitForResponse((response) => response.url().includes('/v1/stream'))
  await open()
  await stream
}

/** For a test that acts while the page would otherwise read, or leave, by itself. Call it before the page is opened. */
export function deafen(page: Page): Promise<unknown> {
  return page.addInitScript(`EventSource = class extends EventTarget { close() {} }`)
}
