// A small shop that pays its sellers: `KESTREL_KEY=kp_sandbox_… npm start`. README.md says what to try.
import { createServer } from 'node:http'
import { join } from 'node:path'

import { Kestrel, KestrelError } from '@kestrel/sdk'

import { registerEndpoint } from './endpoint.mjs'
import { LIVE_SCRIPT, renderPage } from './page.mjs'
import { Payments } from './payments.mjs'
import { openStore } from './store.mjs'

const { KESTREL_KEY = '', KESTREL_URL = 'http://127.0.0.1:3000', PORT = '4400' } = process.env
const SHOP_FILE = process.env.SHOP_FILE ?? join(import.meta.dirname, 'shop.json')
const SHOP_URL = process.env.SHOP_URL ?? `http://127.0.0.1:${PORT}`
const LARGEST_BODY = 1_000_000
const LOOK_EVERY_MS = 2_000

if (!KESTREL_KEY.startsWith('kp_sandbox_')) {
  stop('This shop pays test money. Start it with a sandbox key: KESTREL_KEY=kp_sandbox_… npm start')
}

const kestrel = new Kestrel({ apiKey: KESTREL_KEY, baseUrl: KESTREL_URL })
const store = openStore(SHOP_FILE)
const payments = new Payments(kestrel, store)
let isReady = false
/** Why Kestrel cannot be asked at the moment, for the log and the page. */
let trouble = null

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    say(`${request.method} ${request.url}: ${error.stack}`)
    response.writeHead(500).end('Something went wrong. It is in the log.')
  })
})
server.on('error', (error) => stop(`The shop cannot listen on port ${PORT}: ${error.message}`))
// For this machine only: whoever sees the page can pay.
server.listen(Number(PORT), '127.0.0.1', () => {
  say(`The shop is at http://127.0.0.1:${PORT}`)
  void look()
})

async function answer(request, response) {
  const { pathname } = new URL(request.url, SHOP_URL)
  const order = /^\/orders\/(\d+)\/pay$/.exec(pathname)?.[1]
  if (request.method === 'POST' && pathname === '/webhooks') return receive(request, response)
  if (request.method === 'POST' && order !== undefined) return pay(request, response, Number(order))
  if (request.method === 'GET' && pathname === '/live.js') {
    return response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(LIVE_SCRIPT)
  }
  if (request.method === 'GET' && pathname === '/') {
    const policy =
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; form-action 'self'"
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy }
    return response.writeHead(200, headers).end(renderPage(store.state, trouble))
  }
  return response.writeHead(404).end('There is nothing here.')
}

/** The page shows at once that it was sent: nobody waits for the bank. */
function pay(request, response, order) {
  // A page of somebody else's must not press our buttons.
  if ((request.headers['sec-fetch-site'] ?? 'same-origin') !== 'same-origin') return response.writeHead(403).end()
  payments.pay(order).catch((error) => say(`Order ${order}: ${error.stack}`))
  return response.writeHead(303, { Location: '/' }).end()
}

/** Answered 204 only when it is written down: until then, Kestrel sends it again. */
async function receive(request, response) {
  const raw = await bodyOf(request)
  if (raw === null) return response.writeHead(413).end()
  if (store.state.endpoint === null) return response.writeHead(503, { 'Retry-After': '5' }).end()
  let event
  try {
    event = await Kestrel.webhooks.verify(raw, request.headers, store.state.endpoint.secret)
  } catch (error) {
    if (!(error instanceof KestrelError)) throw error
    say(`A webhook was refused: ${error.message}`)
    return response.writeHead(400).end()
  }
  payments.learn(event)
  return response.writeHead(204).end()
}

/** As it came, because that is what was signed; null when it is longer than any event. */
async function bodyOf(request) {
  const chunks = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length <= LARGEST_BODY) chunks.push(chunk)
  }
  return length > LARGEST_BODY ? null : Buffer.concat(chunks)
}

/** What the process before this one left open, and what got no answer since. While Kestrel is away, the shop goes on. */
async function look() {
  try {
    if (!isReady) {
      await registerEndpoint(kestrel, store, `${SHOP_URL}/webhooks`)
      await payments.catchUp()
      say('Kestrel knows where to send events.')
      isReady = true
    }
    await payments.askAgain()
    trouble = null
  } catch (error) {
    if (!(error instanceof KestrelError)) throw error
    if (trouble !== error.message) say(`Kestrel at ${KESTREL_URL}: ${error.message}`)
    trouble = error.message
  }
  setTimeout(() => void look(), LOOK_EVERY_MS)
}

function say(line) {
  process.stdout.write(`${line}\n`)
}

function stop(line) {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}
