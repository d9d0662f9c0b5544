// A business's own settings.
import { assert } from '../../core/assert.ts'
import { noticeMail } from '../../mail/templates/notice-mails.ts'
import { type PartnerSettings, changeSettings as writeSettings } from '../../storage/partner-settings.ts'
import type { Partner } from '../../storage/partners.ts'
import type { Deps } from '../deps.ts'
import { notifyAdmins } from '../notices/notify-admins.ts'
import { addressFacts, changedAddresses } from './changed-addresses.ts'

export type { PartnerSettings }

/** Every admin is told when the address for invoices or for questions changes. */
export async function changeSettings(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'mailer' | 'post'>,
  before: Pick<Partner, 'id' | 'name' | 'billingEmail' | 'contactEmail'>,
  { changes, by, publicUrl }: { changes: Partial<PartnerSettings>; by: string; publicUrl: string },
): Promise<Partner> {
  const partner = await deps.db.inTransaction(async (tx) => {
    const moved = changedAddresses(before, changes)
    if (moved.length > 0) {
      const about = addressFacts(moved, 'before')
      const url = `${publicUrl}/dashboard/settings`
      const content = noticeMail({ what: 'An address was changed', businessName: before.name, about, by, url })
      await notifyAdmins(tx, deps, { partnerId: before.id, kind: 'addresses_changed', weight: 'grave', content })
    }
    return writeSettings(tx, before.id, changes)
  })
  assert(partner !== null, 'a caller’s partner exists')
  deps.post.wake()
  return partner
}
