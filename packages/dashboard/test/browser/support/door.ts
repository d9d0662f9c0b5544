// The code that guards what a page is about to do, read from the mail and typed in.
import type { Page } from 'playwright-core'

import type { TestApp } from '../../../../server/test/support/app.ts'
import { codeIn, latestMail } from '../../../../server/test/support/sessions.ts'

/** Waits until the page says what the code confirms, because by then the mail is there. */
export async function enterDoorCode(site: TestApp, page: Page, email: string, confirms: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Enter the code we emailed to you' })
  await dialog.getByText(confirms).waitFor()
  await dialog.getByLabel('6-digit code').fill(codeIn(await latestMail(site, email)))
}
