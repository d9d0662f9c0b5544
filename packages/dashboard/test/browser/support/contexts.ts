// What a browser remembers, for each person apart. Opening a page costs twice as much where none was opened before, so
// whoever comes next gets what somebody else has left, wiped.
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

import { browserFor } from './browser.ts'
import { type Expected, watch } from './watch.ts'

export interface VisitorOptions {
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
  /** Looks at what the headless shell shows otherwise than people's browsers do: a PDF, or a frame with no origin. */
  readonly inWhole?: boolean
  /** Answers that the test brings about on purpose: a browser reports each as an error. */
  readonly expects?: readonly Expected[]
}

export interface Contexts {
  /** A page for somebody who has never been here, and who may meet what is expected and no other problem. */
  open(options: VisitorOptions): Promise<Page>
  /** Closes the pages; others may have the contexts, except where a clock was moved, since it stays moved. */
  leave(contexts: readonly BrowserContext[]): Promise<void>
  /** Closes every context, also those that somebody is in. */
  close(): Promise<void>
}

const LONGEST_WAIT_MS = 45_000

/** A phone. */
export const NARROW = { width: 390, height: 844 }
export const WIDE = { width: 1280, height: 900 }

/** Every problem of any page is added to `problems`. */
export function contextsOf(url: string, problems: string[]): Contexts {
  const left: Seat[] = []
  const taken = new Map<BrowserContext, Seat>()
  return {
    open: async (options) => {
      const index = left.findIndex(({ kind }) => kind === kindOf(options))
      const seat = left.splice(index, index === -1 ? 0 : 1)[0] ?? (await newSeat({ url, options, problems }))
      taken.set(seat.context, seat)
      seat.expects.clear()
      for (const expected of options.expects ?? []) seat.expects.add(expected)
      const page = await seat.context.newPage()
      await wipe(page, url)
      return page
    },
    leave: async (contexts) => {
      for (const context of contexts) {
        const seat = taken.get(context)
        taken.delete(context)
        if (seat === undefined || seat.isClockMoved) await context.close()
        else {
          for (const page of context.pages()) await page.close()
          left.push(seat)
        }
      }
    },
    close: async () => {
      for (const { context } of [...left.splice(0), ...taken.values()]) await context.close()
    },
  }
}

interface Seat {
  readonly context: BrowserContext
  /** Who may have it next: somebody whose browser and screen are the same. */
  readonly kind: string
  readonly expects: Set<Expected>
  isClockMoved: boolean
}

const lookOf = ({ colorScheme = 'light', width }: VisitorOptions) => ({
  colorScheme,
  viewport: width === undefined ? WIDE : { ...NARROW, width },
  hasTouch: width !== undefined,
})

const kindOf = (options: VisitorOptions) => JSON.stringify([lookOf(options), options.inWhole === true])

interface SeatOptions {
  readonly url: string
  readonly options: VisitorOptions
  readonly problems: string[]
}

async function newSeat({ url, options, problems }: SeatOptions): Promise<Seat> {
  const browser = await browserFor(options)
  const context = await browser.newContext({ ...EVERYBODY, ...lookOf(options), baseURL: url })
  const seat: Seat = { context, kind: kindOf(options), expects: new Set(), isClockMoved: false }
  // For a machine that does other things too; only a test that fails takes this long.
  context.setDefaultTimeout(LONGEST_WAIT_MS)
  watch(context, { url, expects: seat.expects, problems })
  const install = context.clock.install.bind(context.clock)
  context.clock.install = (at) => {
    seat.isClockMoved = true
    return install(at)
  }
  return seat
}

const EVERYBODY: BrowserContextOptions = {
  locale: 'en-GB',
  // Not London, so that a page that forgets where it is shows.
  timezoneId: 'America/New_York',
  reducedMotion: 'reduce',
  permissions: ['clipboard-read', 'clipboard-write'],
}

/** What was stored for a tab alone is gone with its page. */
async function wipe(page: Page, origin: string): Promise<void> {
  await page.context().clearCookies()
  const session = await page.context().newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' })
  await session.detach()
}
