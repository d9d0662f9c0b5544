// How much has to be fetched before somebody sees the first screen.
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

interface Scale {
  readonly weighFirstScreens: () => Record<string, number>
}

const MOST_KB = 200

describe('the JavaScript of the first screen', async () => {
  const { weighFirstScreens } = (await import(join(import.meta.dirname, '../../weigh.mjs'))) as Scale

  it.each(Object.entries(weighFirstScreens()))('%s: %d KB gzipped', (_screen, kilobytes) => {
    expect(kilobytes).toBeGreaterThan(20)
    expect(kilobytes).toBeLessThanOrEqual(MOST_KB)
  })
})
