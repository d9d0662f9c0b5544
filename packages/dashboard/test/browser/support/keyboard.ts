// Keys as a person presses them: again, when the page was not listening yet or two letters came too far apart.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The page listens once it is drawn and its effects have run, which on a busy machine is a moment later. */
export async function openCommands(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Search and commands' })
  const press = async () => {
    if (!(await dialog.isVisible())) await page.keyboard.press('Control+k')
    return dialog.isVisible()
  }
  await expect.poll(press, { interval: 500 }).toBe(true)
  await focusIsIn(page, '[role=dialog] input')
}

export async function openHelp(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const press = async () => {
    if (!(await dialog.isVisible())) await page.keyboard.press('Shift+?')
    return dialog.isVisible()
  }
  await expect.poll(press, { interval: 500 }).toBe(true)
}

/** G and a letter, within the second that the page waits for the letter. */
export async function goByLetter(page: Page, letter: string, heading: string): Promise<void> {
  const there = page.getByRole('heading', { name: heading, exact: true }).first()
  const press = async () => {
    if (await there.isVisible()) return true
    await page.keyboard.press('g')
    await page.keyboard.press(letter)
    return there.isVisible()
  }
  await expect.poll(press, { interval: 500 }).toBe(true)
}

/** Typing before this would lose letters. */
export async function focusIsIn(page: Page, selector: string): Promise<void> {
  await expect.poll(() => page.evaluate(`document.activeElement?.closest('${selector}') !== null`)).toBe(true)
}
