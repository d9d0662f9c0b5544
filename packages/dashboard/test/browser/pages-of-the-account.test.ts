// Every page about people, keys and settings, in light, in dark and on a phone; and that a barrier is noticed.
import { expect, it } from 'vitest'

import { barriers, barriersOfColour, rest } from './support/look.ts'
import { lookAtEvery, openViews } from './support/pages.ts'
import { ACCOUNT_VIEWS } from './support/views.ts'

const openView = openViews()

lookAtEvery(ACCOUNT_VIEWS, openView)

it('would notice a barrier that was put there, and none in what is only fading', async () => {
  const page = await openView({ name: 'sign-in', path: '/sign-in', heading: 'Sign in', of: 'nobody' })
  await page.evaluate(`void document.querySelector('h1').animate({ opacity: [0.1, 0.1] }, 500)`)
  await rest(page)
  expect(await barriersOfColour(page)).toEqual([])
  await page.evaluate(`document.querySelector('main').append(document.createElement('input'))`)
  expect(await barriers(page)).toContain('label: <input>')
  await page.evaluate(`document.querySelector('h1').style.color = '#ccc'`)
  expect((await barriersOfColour(page)).join()).toContain('color-contrast: <h1')
})
