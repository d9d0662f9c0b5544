// What becomes of an endpoint that fails: its admins are told after a day, and after five it is switched off. One that says that
// it is gone is switched off at once.
import { after } from '../../core/clock.ts'
import type { Scope } from '../../core/scope.ts'
import { endpointDisabledMail, endpointFailingMail } from '../../mail/templates/webhook-mails.ts'
import { noteEvents } from '../../storage/note-events.ts'
import { findPartnerById } from '../../storage/partners.ts'
import type { Tx } from '../../storage/sql.ts'
import { giveUpDeliveries } from '../../storage/webhook-deliveries.ts'
import { type DisabledReason, type EndpointRow, lockEndpoint, updateEndpoint } from '../../storage/webhook-endpoints.ts'
import type { Deps } from '../deps.ts'
import { notifyAdmins } from '../notices/notify-admins.ts'
import { showDisabled } from './show-endpoint.ts'

type FailingDeps = Pick<Deps, 'db' | 'clock' | 'secrets' | 'mailer' | 'post'>

const TELL_AFTER_MS = 24 * 3_600_000
const DISABLE_AFTER_MS = 5 * 24 * 3_600_000

/** Called after an attempt that failed, with the endpoint as it was before. */
export async function lookAfterFailing(deps: FailingDeps, endpoint: EndpointRow): Promise<void> {
  const { failingSince, toldAt } = endpoint
  if (failingSince === null) return
  const now = deps.clock.now()
  if (failingSince <= after(now, -DISABLE_AFTER_MS)) return disableEndpoint(deps, endpoint, 'failing')
  if (toldAt !== null || failingSince > after(now, -TELL_AFTER_MS)) return
  await deps.db.inTransaction(async (tx) => {
    const locked = await lockEndpoint(tx, endpoint, endpoint.id)
    if (locked === null || locked.toldAt !== null || locked.failingSince === null) return
    updateEndpoint(tx, { ...locked, toldAt: now })
    const since = locked.failingSince
    await tell(tx, deps, locked, (businessName) => endpointFailingMail({ businessName, ...shown(locked), since }))
  })
  deps.post.wake()
}

/** Nothing more is sent to it, not even what waits, which counts as failed and can be replayed. */
export async function disableEndpoint(
  deps: FailingDeps,
  at: Scope & { id: string },
  reason: DisabledReason,
): Promise<void> {
  await deps.db.inTransaction(async (tx) => {
    const now = deps.clock.now()
    const endpoint = await lockEndpoint(tx, at, at.id)
    if (endpoint === null || endpoint.status === 'disabled') return
    const disabled = { ...endpoint, status: 'disabled', disabledReason: reason, disabledAt: now } as const
    updateEndpoint(tx, disabled)
    giveUpDeliveries(tx, endpoint, now)
    await tell(tx, deps, endpoint, (businessName) => endpointDisabledMail({ businessName, ...shown(endpoint), reason }))
    const subject = { object: 'webhook_endpoint', id: endpoint.id } as const
    noteEvents(tx, endpoint, [{ type: 'webhook_endpoint.disabled', subject, data: showDisabled(disabled) }], now)
  })
  deps.post.wake()
}

const shown = ({ environment, url }: EndpointRow) => ({ environment, host: new URL(url).host })

async function tell(
  tx: Tx,
  deps: FailingDeps,
  { partnerId }: Scope,
  mail: (businessName: string) => ReturnType<typeof endpointFailingMail>,
): Promise<void> {
  const partner = await findPartnerById(tx, partnerId)
  if (partner === null) return
  await notifyAdmins(tx, deps, { partnerId, kind: 'webhook_endpoint', weight: 'plain', content: mail(partner.name) })
}
