// People with a browser of their own. Whatever goes wrong in any of their pages fails the test that they are in.
import { join } from 'node:path'

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'

import { signedIn, type TestMember } from '../../../../server/test/support/sessions.ts'
import type { TestPartner } from '../../../../server/test/support/fixtures.ts'
import { type Contexts, type VisitorOptions, contextsOf } from './contexts.ts'
import { type Site, startSite } from './site.ts'

export interface Visitor {
  readonly page: Page
  readonly context: BrowserContext
  /** Opens a page of the dashboard by its address. */
  readonly open: (path: string) => Promise<void>
}

export interface SignedInVisitor extends Visitor {
  readonly member: TestMember
}

interface HouseOptions extends VisitorOptions {
  /** Comes back for other tests: the page stays open until one of them fails. */
  readonly comesBack?: boolean
}

export interface House {
  readonly site: Site
  visitor(options?: HouseOptions): Promise<Visitor>
  /** Somebody of the partner's team who is signed in already; an admin unless told otherwise. */
  member(
    partner: Pick<TestPartner, 'id'>,
    options?: HouseOptions & { role?: 'admin' | 'viewer'; email?: string },
  ): Promise<SignedInVisitor>
}

/** What tests saw that failed, and every page when it was asked for; not committed. */
export const SCREENSHOTS = join(import.meta.dirname, '../../../../../artifacts/screenshots')

/** A service for the file that calls it, once, and visitors in the browsers of its worker. */
export function openHouse(): House {
  let site: Site
  let contexts: Contexts
  const present: BrowserContext[] = []
  const regulars: BrowserContext[] = []
  const problems: string[] = []
  beforeAll(async () => {
    site = await startSite()
    contexts = contextsOf(site.url, problems)
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') {
      const all = [...present.splice(0), ...regulars.splice(0)]
      await keepPictures(task.name, all)
      for (const context of all) await context.close()
    }
    await contexts.leave(present.splice(0))
    expect(problems.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await contexts?.close()
    await site?.close()
  })
  const visitor = async (options: HouseOptions = {}): Promise<Visitor> => {
    const page = await contexts.open(options)
    const context = page.context()
    ;(options.comesBack === true ? regulars : present).push(context)
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
