// People with a browser of their own. Whatever goes wrong in any of their pages fails the test that they are in.
import { join } from 'node:path'

import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'

import { signedIn, type TestMember } from '../../../../server/test/support/sessions.ts'
import type { TestPartner } from '../../../../server/test/support/fixtures.ts'
import { type Site, startSite } from './site.ts'

export interface VisitorOptions {
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
  /** Answers that the test brings about on purpose: a browser reports each as an error. */
  readonly expects?: readonly Expected[]
  /** Comes back for other tests, with a browser that knows the pages already; only the pages are closed after each. */
  readonly comesBack?: boolean
}

type Expected = number | 'silence'

export interface Visitor {
  readonly page: Page
  readonly context: BrowserContext
  /** Opens a page of the dashboard by its address. */
  readonly open: (path: string) => Promise<void>
}

export interface SignedInVisitor extends Visitor {
  readonly member: TestMember
}

export interface House {
  readonly site: Site
  visitor(options?: VisitorOptions): Promise<Visitor>
  /** Somebody of the partner's team who is signed in already; an admin unless told otherwise. */
  member(
    partner: Pick<TestPartner, 'id'>,
    options?: VisitorOptions & { role?: 'admin' | 'viewer'; email?: string },
  ): Promise<SignedInVisitor>
}

/** Every page as it looked in the latest run; not committed. */
export const SCREENSHOTS = join(import.meta.dirname, '../../../../../artifacts/screenshots')

const LONGEST_WAIT_MS = 45_000

/** A phone. */
export const NARROW = { width: 390, height: 844 }
const WIDE = { width: 1280, height: 900 }

/** A service and a browser for the file that calls it, once. */
export function openHouse(): House {
  let site: Site
  let browser: Browser
  const contexts: BrowserContext[] = []
  const kept: BrowserContext[] = []
  const problems: string[] = []
  beforeAll(async () => {
    const { path, env } = inject('browser')
    const started = await Promise.all([
      startSite(),
      // Without a graphics card, pretending to have one costs a tenth of the time.
      chromium.launch({ executablePath: path, env: { ...process.env, ...env }, args: ['--disable-gpu'] }),
    ])
    ;[site, browser] = started
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepPictures(task.name, [...contexts, ...kept])
    for (const context of contexts.splice(0)) await context.close()
    for (const page of kept.flatMap((context) => context.pages())) await page.close()
    expect(problems.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })
  const visitor = async (options: VisitorOptions = {}): Promise<Visitor> => {
    const context = await browser.newContext({
      baseURL: site.url,
      locale: 'en-GB',
      // Not London, so that a page that forgets where it is shows.
      timezoneId: 'America/New_York',
      colorScheme: options.colorScheme ?? 'light',
      viewport: options.width === undefined ? WIDE : { ...NARROW, width: options.width },
      hasTouch: options.width !== undefined,
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    // For a machine that does other things too; only a test that fails takes this long.
    context.setDefaultTimeout(LONGEST_WAIT_MS)
    ;(options.comesBack === true ? kept : contexts).push(context)
    watch(context, { url: site.url, expects: options.expects ?? [], problems })
    const page = await context.newPage()
    return { page, context, open: async (path) => void (await page.goto(`/dashboard${path}`)) }
  }
  return {
    get site() {
      return site
    },
    visitor,
    member: async (partner, { role = 'admin', email, ...options } = {}) => {
      const member = await signedIn(site, partner, { role, ...(email === undefined ? {} : { email }) })
      const someone = await visitor(options)
      await signInWith(someone.context, site.url, member.cookie)
      return { ...someone, member }
    },
  }
}

/** What everybody saw when a test failed. */
async function keepPictures(name: string, contexts: readonly BrowserContext[]): Promise<void> {
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
  for (const [index, page] of contexts.flatMap((context) => context.pages()).entries()) {
    await page.screenshot({ path: join(SCREENSHOTS, 'failures', `${words}-${index + 1}.png`) }).catch(() => undefined)
  }
}

async function signInWith(context: BrowserContext, url: string, cookie: string): Promise<void> {
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }])
}

interface Watching {
  readonly url: string
  readonly expects: readonly Expected[]
  readonly problems: string[]
}

const REPORTS_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) =>
  console.error('refused by the Content-Security-Policy: ' + event.violatedDirective + ' ' + event.blockedURI))`

/** No error on the console, nothing against the Content-Security-Policy, and no other host. */
function watch(context: BrowserContext, { url, expects, problems }: Watching): void {
  void context.addInitScript(REPORTS_VIOLATIONS)
  // Somebody who is not signed in is told so by a 401.
  const allowed = new Set<Expected>([401, ...expects])
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const status = /^Failed to load resource: .*status of (\d{3})/.exec(message.text())?.[1]
    if (status !== undefined && allowed.has(Number(status))) return
    if (/net::ERR_(CONNECTION_RESET|INTERNET_DISCONNECTED)/.test(message.text()) && allowed.has('silence')) return
    problems.push(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) => problems.push(`thrown: ${error.error().message}`))
  context.on('request', (request) => {
    // The browser's own reader of PDFs loads itself from inside the browser.
    const isOwn = request.url().startsWith(`${url}/`) || /^(data|blob|chrome|chrome-extension):/.test(request.url())
    if (!isOwn) problems.push(`asked another host: ${request.url()}`)
  })
}
