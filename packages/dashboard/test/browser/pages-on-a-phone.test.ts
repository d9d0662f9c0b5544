// Every page at 390 pixels: no barrier that axe knows, and nothing wider than the screen.
import { describe, expect, it } from 'vitest'

import { inspect, openViews } from './support/pages.ts'
import { VIEWS } from './support/views.ts'

const openView = openViews()

describe('on a phone', () => {
  it.each(VIEWS)('$name', async (view) => {
    const page = await openView(view, { width: 390 })
    expect(page.viewportSize()?.width).toBe(390)
    await inspect(page, `phone/${view.name}`)
  })
})
