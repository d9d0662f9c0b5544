// A bank that takes no time of its own: it stands in front of the bundled one, answers for recipients and transfers from
// memory, after the delay that it was given, and passes everything else on. A transfer has arrived when it is made.
import { randomUUID } from 'node:crypto'
import { Agent, createServer, request as ask } from 'node:http'

const kept = { answers: new Map(), transfers: new Map(), byReference: new Map() }
const agent = new Agent({ keepAlive: true })

process.once('message', ({ port, behind, delayMs }) => {
  const server = createServer((request, reply) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const answer = answerTo(request, body)
      if (answer === null) passOn(behind, request, reply, body)
      else if (delayMs === 0) send(reply, answer)
      else setTimeout(send, delayMs, reply, answer)
    })
  })
  server.listen(port, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${port}/v0` }))
  process.on('message', () => process.send({ transfers: kept.transfers.size, payouts: kept.byReference.size }))
  process.once('SIGTERM', () => process.exit(0))
})

function send(reply, { status, text }) {
  reply.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  reply.end(text)
}

/** Null: what the bank behind answers. */
function answerTo(request, body) {
  const { method, url } = request
  const { pathname, searchParams } = new URL(url, 'http://bank')
  const isPost = method === 'POST'
  if (isPost && pathname === '/v0/transfers') return once(request, () => transferOf(JSON.parse(body)))
  const recipients = /^\/v0\/customers\/([^/]+)\/external_accounts$/.exec(pathname)
  if (isPost && recipients !== null) return once(request, () => recipientOf(recipients[1], JSON.parse(body)))
  if (method !== 'GET') return null
  if (/^\/v0\/(customers\/[^/]+\/)?transfers$/.test(pathname)) return { status: 200, text: listed(searchParams) }
  const one = /^\/v0\/transfers\/([^/]+)$/.exec(pathname)
  const transfer = one === null ? undefined : kept.transfers.get(one[1])
  return transfer === undefined ? null : { status: 200, text: JSON.stringify(transfer) }
}

/** The first answer is bound to its key. */
function once({ headers }, make) {
  const key = headers['idempotency-key']
  const known = kept.answers.get(key)
  if (known !== undefined) return known
  const answer = { status: 201, text: JSON.stringify(make()) }
  kept.answers.set(key, answer)
  return answer
}

function recipientOf(customerId, { account, ...wanted }) {
  const last4 = account.account_number.slice(-4)
  return {
    id: randomUUID(),
    customer_id: customerId,
    active: true,
    ...wanted,
    last_4: last4,
    account: { sort_code: account.sort_code, last_4: last4 },
  }
}

function transferOf(order) {
  const now = new Date().toISOString()
  const transfer = {
    id: randomUUID(),
    client_reference_id: order.client_reference_id,
    state: 'payment_processed',
    on_behalf_of: order.on_behalf_of,
    amount: order.source.amount,
    currency: 'usd',
    developer_fee: order.developer_fee ?? '0.00',
    source: order.source,
    destination: order.destination,
    receipt: {
      initial_amount: order.source.amount,
      developer_fee: order.developer_fee ?? '0.00',
      exchange_fee: '0.00',
      developer_exchange_fee: { amount: '0.00', currency: 'usdc' },
      subtotal_amount: order.source.amount,
      gas_fee: '0.00',
      final_amount: order.destination.amount,
    },
    created_at: now,
    updated_at: now,
  }
  kept.transfers.set(transfer.id, transfer)
  kept.byReference.set(transfer.client_reference_id, transfer)
  return transfer
}

/** The newest first, as the real one lists them. */
function listed(query) {
  const reference = query.get('client_reference_id')
  const found = reference === null ? [...kept.transfers.values()].toReversed() : [kept.byReference.get(reference)]
  const since = Number(query.get('updated_after_ms') ?? 0)
  const after = query.get('starting_after')
  const rows = found.filter((row) => row !== undefined && Date.parse(row.updated_at) > since)
  const from = after === null ? 0 : rows.findIndex(({ id }) => id === after) + 1
  const page = rows.slice(from, from + Number(query.get('limit') ?? 10))
  return JSON.stringify({ count: page.length, data: page })
}

function passOn(behind, { method, url, headers }, reply, body) {
  const passed = ask(new URL(url, behind), { method, headers, agent }, (answer) => {
    reply.writeHead(answer.statusCode, answer.headers)
    answer.pipe(reply)
  })
  passed.on('error', () => reply.destroy())
  passed.end(body)
}
