// A sign-in from a new browser is told to the person, and to the admins of their businesses.
import { newBrowserMail } from '../../mail/templates/notice-mails.ts'
import { listMemberships } from '../../storage/members.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { notifyAdmins } from '../notices/notify-admins.ts'
import { describeBrowser } from './describe-browser.ts'
import type { Visitor } from './start-session.ts'

/** A person in more businesses than this: only so many are told. */
const MOST_BUSINESSES = 20

/**
 * Call `deps.post.wake()` after the commit. A first sign-in is not told: there is nothing to compare it with. `except`
 * is a business that they join by this very sign-in.
 */
export async function tellOfNewBrowser(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'secrets' | 'mailer'>,
  { email, from, publicUrl, except }: { email: string; from: Visitor; publicUrl: string; except: string | null },
): Promise<void> {
  const memberships = await listMemberships(tx, email)
  if (memberships.every(({ lastLoginAt }) => lastLoginAt === null)) return
  // Also the businesses that they have never opened: the session gives access to all of them.
  const opened = memberships.filter(({ partnerId }) => partnerId !== except)
  for (const { partnerId, name } of opened.slice(0, MOST_BUSINESSES)) {
    const content = newBrowserMail({
      businessName: name,
      email,
      browser: describeBrowser(from.userAgent),
      ip: from.ip,
      url: `${publicUrl}/dashboard/team`,
    })
    await notifyAdmins(tx, deps, { partnerId, kind: 'new_browser', weight: 'grave', content, also: [email] })
  }
}
