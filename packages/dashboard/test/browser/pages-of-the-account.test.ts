// Every page about people, keys and settings, in light, in dark and on a phone; that a barrier is noticed, and that
// a browser is wiped for whoever comes next.
import type { BrowserContext } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { barriers, barriersOfColour, rest } from './support/look.ts'
import { lookAtEvery, openViews } from './support/pages.ts'
import { ACCOUNT_VIEWS, type View } from './support/views.ts'

const openView = openViews()

lookAtEvery(ACCOUNT_VIEWS, openView)

const SIGN_IN: View = { name: 'sign-in', path: '/sign-in', heading: 'Sign in', of: 'nobody' }

it('would notice a barrier that was put there, and none in what is only fading', async () => {
  const page = await openView(SIGN_IN)
  await page.evaluate(`void document.querySelector('h1').animate({ opacity: [0.1, 0.1] }, 500)`)
  await rest(page)
  expect(await barriersOfColour(page)).toEqual([])
  await page.evaluate(`document.querySelector('main').append(document.createElement('input'))`)
  expect(await barriers(page)).toContain('label: <input>')
  await page.evaluate(`document.querySelector('h1').style.color = '#ccc'`)
  expect((await barriersOfColour(page)).join()).toContain('color-contrast: <h1')
})

describe('whoever comes next', () => {
  let before: BrowserContext

  it('gets the browser that somebody has left', async () => {
    const page = await openView(SIGN_IN)
    before = page.context()
    await before.addCookies([{ name: 'kept', value: 'yes', url: page.url() }])
    await page.evaluate(`localStorage.setItem('kept', 'yes'); sessionStorage.setItem('kept', 'yes')`)
    expect((await before.cookies()).map(({ name }) => name)).toContain('kept')
  })

  it('finds nothing of them in it', async () => {
    const page = await openView(SIGN_IN)
    expect(page.context()).toBe(before)
    expect((await before.cookies()).map(({ name }) => name)).not.toContain('kept')
    expect(await page.evaluate(`[localStorage, sessionStorage].map((store) => store.getItem('kept'))`)).toEqual([
      null,
      null,
    ])
  })
})
