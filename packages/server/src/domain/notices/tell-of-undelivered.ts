// Live payouts that failed or came back are told to every admin: those of a few minutes in one mail, each payout once.
import { after } from '../../core/clock.ts'
import { eachApart } from '../../core/each-apart.ts'
import { formatPence } from '../../core/money.ts'
import { grouped } from '../../core/words.ts'
import { undeliveredMail } from '../../mail/templates/payout-mails.ts'
import { type UndeliveredPayout, listPartnersToTell, takeUndelivered } from '../../storage/undelivered-payouts.ts'
import type { Deps } from '../deps.ts'
import { mailAdmins } from './mail-admins.ts'

/** A payout that was decided before this moment may be committed after it, and must not be missed. */
const SETTLED_AFTER_MS = 30_000

export async function tellOfUndelivered(deps: Deps): Promise<void> {
  const until = after(deps.clock.now(), -SETTLED_AFTER_MS)
  const partners = await listPartnersToTell(deps.db, until)
  try {
    await eachApart(partners, (partner) => tellOne(deps, partner, until))
  } finally {
    if (partners.length > 0) deps.post.wake()
  }
}

function tellOne(deps: Deps, partner: { id: string; name: string }, until: Date): Promise<void> {
  return deps.db.inTransaction(async (tx) => {
    const payouts = await takeUndelivered(tx, partner.id, until)
    if (payouts.length === 0) return
    const content = undeliveredMail({ businessName: partner.name, payouts: payouts.map(shown) })
    await mailAdmins(tx, deps, { partnerId: partner.id, kind: 'payouts_undelivered', content })
  })
}

function shown({ amount, recipientName, accountLast4, reason, status }: UndeliveredPayout) {
  const cameBack = status === 'returned'
  return { amount: `£${grouped(formatPence(amount))}`, recipientName, accountLast4, cameBack, reason }
}
