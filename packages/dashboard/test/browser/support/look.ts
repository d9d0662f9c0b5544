// What every page must be: free of barriers and no wider than the screen. For whoever looks, it is kept as a picture.
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from 'playwright-core'
import { expect } from 'vitest'

import { SCREENSHOTS } from './visitors.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

/** The rules that can fail in another theme only: those about colour. */
const RULES_OF_COLOUR = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** Each violation with the first elements that have it. */
export const barriers = (page: Page): Promise<string[]> => violations(page, TAGS)

export const barriersOfColour = (page: Page): Promise<string[]> => violations(page, RULES_OF_COLOUR)

async function violations(page: Page, runOnly: object): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(`${AXE}; undefined`)
  const result = await page.evaluate<AxeResult>(
    `axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'], preload: false })`,
  )
  return result.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ html }) => html)
        .join(' | ')}`,
  )
}

/** How far the page can be pushed sideways; it should be nothing. */
export const sideways = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

/**
 * Texts that run out of a box which hides what does not fit, or off the screen, with nothing to scroll and no dots at their end.
 * Nobody knows then that something is missing.
 */
export const cutOff = (page: Page) => page.evaluate<string[]>(CUT_OFF)

const CUT_OFF = `(() => {
  const isShort = (box) => {
    const { textOverflow, webkitLineClamp } = getComputedStyle(box)
    return textOverflow === 'ellipsis' || webkitLineClamp !== 'none'
  }
  const isCut = (node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    const { left, right, width, height } = range.getBoundingClientRect()
    if (width < 2 || height < 2) return false
    for (let box = node.parentElement; box !== null; box = box.parentElement) {
      const { overflowX, position } = getComputedStyle(box)
      if (isShort(box) || overflowX === 'auto' || overflowX === 'scroll' || position === 'fixed') return false
      const edges = box.getBoundingClientRect()
      if (edges.width < 2) return false
      if (overflowX !== 'visible' && (right > edges.right + 1 || left < edges.left - 1)) return true
    }
    return right > innerWidth + 1
  }
  const texts = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT)
  const cut = []
  while (texts.nextNode()) if (texts.currentNode.textContent.trim() !== '' && isCut(texts.currentNode)) cut.push(texts.currentNode.textContent)
  return cut
})()`

/** Waits until nothing loads and no placeholder is shown; a page that never gets there fails. */
export async function settle(page: Page): Promise<void> {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  await page.evaluate('document.fonts.ready.then(() => undefined)')
}

/** Waits until nothing moves or fades; what is looked at halfway is neither the one nor the other. */
export async function rest(page: Page): Promise<void> {
  const hasRested = 'document.getAnimations().every(({ playState }) => playState !== "running")'
  await expect.poll(() => page.evaluate<boolean>(hasRested)).toBe(true)
}

/** For whoever wants to look: no test compares them, and taking them costs a tenth of the time. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env['KEEP_PICTURES'] === undefined) return
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
}
