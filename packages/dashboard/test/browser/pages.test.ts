// Every page in light and in dark: no barrier that axe knows.
import { describe, expect, it } from 'vitest'

import { barriers } from './support/look.ts'
import { inspect, openViews } from './support/pages.ts'
import { VIEWS } from './support/views.ts'

const openView = openViews()

describe('on a desk, in light and in dark', () => {
  it.each(VIEWS)('$name', async (view) => {
    const page = await openView(view)
    await inspect(page, `light/${view.name}`)
    await page.emulateMedia({ colorScheme: 'dark' })
    // The mailbox is no page of the application, and follows the browser by its style alone.
    const shown = view.name.startsWith('mailbox') ? '"dark"' : 'document.documentElement.className'
    await expect.poll(() => page.evaluate(shown)).toContain('dark')
    await inspect(page, `dark/${view.name}`)
  })
})

it('would notice a barrier that was put there', async () => {
  const page = await openView({ name: 'sign-in', path: '/sign-in', heading: 'Sign in', of: 'nobody' })
  await page.evaluate(`document.querySelector('main').append(document.createElement('input'))`)
  expect(await barriers(page)).toContain('label: <input>')
})
