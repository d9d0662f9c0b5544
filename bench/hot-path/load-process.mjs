// Sends requests as cheaply as it can, so that the cores are left to what is measured: raw HTTP/1.1 over sockets.
import { createConnection } from 'node:net'

process.once('message', (plan) => {
  void answer(plan)
})

async function answer(plan) {
  process.send(await run(plan))
  process.disconnect()
}

async function run(plan) {
  const latencies = []
  const statuses = {}
  let next = 0
  const started = performance.now()
  const startedAt = Date.now()
  const deadline = plan.seconds === undefined ? Number.POSITIVE_INFINITY : started + plan.seconds * 1_000
  const most = plan.count ?? Number.POSITIVE_INFINITY
  const take = () => (next < most && performance.now() < deadline ? next++ : null)
  const done = (status, ms) => {
    statuses[status] = (statuses[status] ?? 0) + 1
    latencies.push(ms)
  }
  await Promise.all(
    Array.from({ length: Math.min(plan.connections, most) }, (_, nth) => connection(plan, { nth, take, done })),
  )
  const seconds = (performance.now() - started) / 1_000
  latencies.sort((one, other) => one - other)
  const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]
  return { count: latencies.length, statuses, seconds, startedAt, p50: at(0.5), p99: at(0.99) }
}

// All connections read into it, one after another, and nothing of it is kept: 40 kB that are made into a string cost more than to send them.
const room = Buffer.allocUnsafeSlow(64 * 1_024)

function connection(plan, { nth, take, done }) {
  const { hostname, port } = new URL(plan.url)
  return new Promise((resolve, reject) => {
    let sentAt = 0
    const send = () => {
      const number = take()
      if (number === null) {
        socket.end()
        resolve()
        return
      }
      sentAt = performance.now()
      socket.write(requestOf(plan, number, nth))
    }
    const read = answers((status) => {
      done(status, performance.now() - sentAt)
      send()
    })
    const socket = createConnection({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: { buffer: room, callback: read },
    })
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => resolve())
  })
}

/** Takes what comes in, and says the status of each answer once all of it is there. One request is under way, so nothing follows it. */
function answers(onWhole) {
  let begun = ''
  /** How many bytes of the body are to come; null until its head is there; not a number where only its end says so. */
  let left = null
  return (count, bytes) => {
    if (left === null) {
      begun += bytes.latin1Slice(0, count)
      left = bytesAfter(begun)
    } else if (Number.isNaN(left)) begun += bytes.latin1Slice(0, count)
    else left -= count
    const isWhole = Number.isNaN(left) ? begun.endsWith('0\r\n\r\n') : left !== null && left <= 0
    if (!isWhole) return
    const status = begun.slice(9, 12)
    begun = ''
    left = null
    onWhole(status)
  }
}

/** How much of an answer is to come after this beginning of it. */
function bytesAfter(text) {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return null
  const status = text.slice(9, 12)
  if (status === '304' || status === '204') return 0
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end + 2))
  return length === null ? Number.NaN : Number(length[1]) - (text.length - end - 4)
}

function requestOf(plan, number, nth) {
  const key = plan.keys[number % plan.keys.length]
  if (plan.kind === 'get')
    return head(plan, `GET ${plan.path}`, key, plan.etag === undefined ? '' : etagLine(plan.etag))
  const body = bodyOf(plan, number)
  // Replays repeat keys that were used before.
  const order = plan.kind === 'replay' ? number % plan.repeat : number
  const extra = `idempotency-key: ${plan.from}-${order}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`
  return head(plan, `POST ${plan.path ?? '/v1/payouts'}`, key, extra, nth) + body
}

const etagLine = (etag) => `if-none-match: ${etag}\r\n`

function head(plan, what, key, extra) {
  return `${what} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\n${extra}\r\n`
}

// 5,000 people, each at an account of their own.
const FIRST =
  `Ada Aisha Amara Amir Ana Arjun Bea Ben Caleb Clara Dana Diego Ella Emeka Eva Farah Finn Grace Hana Hugo Ida Imran
  Isla Ivan Jack Jade Jonas June Kai Kofi Lara Leo Lina Luca Maya Mia Milo Nadia Noah Nora Omar Oscar Priya Ravi Rosa Sam Sara
  Tariq Tess Zoe`.split(/\s+/)
const BEGINNING = ['Ash', 'Brad', 'Cald', 'Dun', 'East', 'Hart', 'Lang', 'Nor', 'Thorn', 'Whit']
const ENDING = ['bury', 'combe', 'den', 'field', 'ford', 'ham', 'ley', 'man', 'ton', 'worth']

function bodyOf(plan, number) {
  const order = plan.kind === 'replay' ? number % plan.repeat : number
  const who = (order * 7_919) % 5_000
  const family = Math.floor(who / FIRST.length)
  const name = `"first_name":"${FIRST[who % FIRST.length]}","last_name":"${BEGINNING[family % 10]}${ENDING[Math.floor(family / 10)]}"`
  const account = String(10_000_001 + who * 10)
  // Nobody is paid the same again soon, which would be warned of.
  const time = Number(/\d*$/.exec(plan.from)[0]) * 13 + Math.floor(order / 5_000) * 7
  const pence = String((order + time) % 100).padStart(2, '0')
  return `{"amount_gbp":"${1 + (order % 40)}.${pence}","reference":"Invoice ${order % 10_000}","recipient":{${name},"address":{"line1":"1 High Street","city":"Leeds","postal_code":"LS1 4AP"},"bank":{"bank_name":"Monzo","sort_code":"040004","account_number":"${account}"}}}`
}
