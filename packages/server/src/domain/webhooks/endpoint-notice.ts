// Every admin gets a mail when a live endpoint is made, sent elsewhere or given another secret: whoever has its address or its
// secret learns of every payout, or can make one up.
import { noticeMail } from '../../mail/templates/notice-mails.ts'
import { findPartnerById } from '../../storage/partners.ts'
import type { Tx } from '../../storage/sql.ts'
import type { EndpointRow } from '../../storage/webhook-endpoints.ts'
import type { Deps } from '../deps.ts'
import { notifyAdmins } from '../notices/notify-admins.ts'

export interface EndpointNotice {
  /** The email of the member who did it, or the start of the key. */
  readonly by: string
  /** The page of the endpoints. */
  readonly url: string
}

const WORDS = {
  created: 'A live webhook endpoint was made',
  moved: 'A live webhook endpoint was moved',
  rotated: 'The secret of a live webhook endpoint was rotated',
} as const

/** Call `deps.post.wake()` after the commit. */
export async function tellOfEndpoint(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'secrets' | 'mailer'>,
  told: { event: keyof typeof WORDS; endpoint: EndpointRow; before?: EndpointRow; notice: EndpointNotice },
): Promise<void> {
  const { event, endpoint, before, notice } = told
  const { partnerId, environment } = endpoint
  if (environment !== 'live') return
  const partner = await findPartnerById(tx, partnerId)
  if (partner === null) return
  const content = noticeMail({
    what: WORDS[event],
    businessName: partner.name,
    about: [['Endpoint', spelt(endpoint)], ...(before === undefined ? [] : [['Before', spelt(before)] as const])],
    ...notice,
  })
  await notifyAdmins(tx, deps, { partnerId, kind: `webhook_endpoint_${event}`, weight: 'plain', content })
}

/** Never the whole address, whose path may be a secret; and spelt so that no mail program makes a link of what somebody typed. */
const spelt = ({ url }: EndpointRow) => new URL(url).hostname.replaceAll('.', ' . ')
