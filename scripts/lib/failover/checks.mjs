// What must be true when all is over: asked of the service's database, of the bank's own books, and of `kestrel reconcile`.
import pg from 'pg'
import { until } from '../cluster/cluster.mjs'
import { endedRoles, runKestrel } from './service.mjs'

const LONGEST_END_MS = 300_000

/** `acknowledged` is a map of order to payout, as the clients were told. */
export async function checkAll(cluster, service, { acknowledged, odd }) {
  const payouts = await endedPayouts(service.settings.MIGRATE_DATABASE_URL)
  const transfers = await bankTransfers(service)
  const known = new Map(payouts.map((payout) => [payout.id, payout]))
  const paid = Map.groupBy?.(transfers, ({ client_reference_id: id }) => id) ?? grouped(transfers)
  const books = runKestrel(service.settings, ['reconcile'])
  return {
    payouts: payouts.length,
    acknowledged: acknowledged.size,
    transfers: transfers.length,
    lost: [...acknowledged].filter(([order, id]) => known.get(id)?.key !== order).map(([order]) => order),
    notPaid: [...acknowledged].filter(([, id]) => !paid.has(id)).map(([order]) => order),
    paidTwice: [...paid].filter(([, made]) => made.length > 1).map(([id]) => id),
    paidForNothing: [...paid.keys()].filter((id) => !known.has(id)),
    notCompleted: payouts.filter(({ status }) => status !== 'completed').map(({ key }) => key),
    unexpected: odd,
    ended: endedRoles(cluster),
    books: books.status === 0 ? 'right' : `${books.stdout}${books.stderr}`.trim(),
  }
}

/** Every list that should be empty is. */
export function violationsOf(found) {
  const names = ['lost', 'notPaid', 'paidTwice', 'paidForNothing', 'notCompleted', 'unexpected', 'ended']
  const wrong = names.filter((name) => found[name].length > 0)
  return found.books === 'right' ? wrong : [...wrong, 'books']
}

async function endedPayouts(url) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const open = `select count(*)::int as open from payouts where status in ('pending', 'processing')`
    const isOver = async () => (await client.query(open)).rows[0].open === 0
    await until('every payout has ended', isOver, LONGEST_END_MS)
    return (await client.query('select id, idempotency_key as key, status from payouts')).rows
  } finally {
    await client.end()
  }
}

async function bankTransfers({ bankUrl, controlKey }) {
  const reply = await fetch(`${bankUrl}/_control/ledger`, { headers: { authorization: `Bearer ${controlKey}` } })
  if (!reply.ok) throw new Error(`The bank’s books could not be read: ${reply.status}`)
  return (await reply.json()).transfers
}

function grouped(transfers) {
  const groups = new Map()
  for (const each of transfers) {
    const id = each.client_reference_id
    groups.set(id, [...(groups.get(id) ?? []), each])
  }
  return groups
}
