// The same API with storage taken out: what a request costs in Node alone. Look-ups answer from memory what the database
// said the first time; a payout always finds the money, and is the row that the database would return.
// With { isPlain: true } it is only Fastify: one POST that reads a payout's body, one GET that answers a balance.
import { DIST, SRC, loadKestrel } from '../lib/load-kestrel.mjs'

process.once('message', (options) => {
  void start(options)
})

async function start(options) {
  const app = options.isPlain ? await plainServer() : await stubbedServer(options)
  const url = await app.listen({ host: '127.0.0.1', port: options.port })
  process.once('SIGTERM', () => process.exit(0))
  process.send({ url })
}

async function plainServer() {
  const { default: fastify } = await import('fastify')
  const app = fastify()
  const text = { type: 'string' }
  const body = {
    type: 'object',
    required: ['amount_gbp', 'recipient'],
    properties: { amount_gbp: text, reference: text },
  }
  const answer = { type: 'object', properties: { id: text, status: text, amount_gbp: text } }
  app.post('/v1/payouts', { schema: { body, response: { 201: answer } } }, (request, reply) =>
    reply.code(201).send({ id: '0', status: 'processing', amount_gbp: request.body.amount_gbp }),
  )
  app.get('/v1/balance', { schema: { response: { 200: answer } } }, () => ({ id: '0', status: 'ok', amount_gbp: '0' }))
  return app
}

async function stubbedServer({ databaseUrl, sealKey, fingerprintKey }) {
  const kestrel = await loadKestrel(
    'bench-stubbed',
    `
        export { composeService } from '${SRC}/compose.ts'
        export { createLogger } from '${SRC}/logging.ts'`,
    DIST,
  )
  const service = await kestrel.composeService({
    databaseUrl,
    secrets: {
      sealKey: Buffer.from(sealKey, 'hex'),
      fingerprintKey: Buffer.from(fingerprintKey, 'hex'),
      metricsToken: null,
    },
    clock: { now: () => new Date() },
    log: kestrel.createLogger({ level: 'silent', destination: process.stderr }),
  })
  const { deps } = service
  Object.assign(deps.db, { lookup: remembered(deps.db.lookup) })
  Object.assign(deps, {
    lanes: lanesWithoutStorage(),
    activity: { record() {}, flush: async () => {}, close: async () => {} },
  })
  return service.api({ publicUrl: 'http://127.0.0.1', rateLimitPerSecond: 0, networkLimitPerSecond: 0 })
}

function remembered(lookup) {
  const answers = new Map()
  return {
    query(sql, values) {
      const asked = `${sql.name}${values.map(String).join('\n')}`
      const known = answers.get(asked) ?? lookup.query(sql, values)
      answers.set(asked, known)
      return known
    },
  }
}

function lanesWithoutStorage() {
  const ends = { completedAt: null, endedAt: null, failureReason: null, bankReason: null, refundState: 'none' }
  return {
    reserve: async (scope, payout, foretold) => {
      const createdAt = new Date()
      const { transferRef } = foretold.transferAt(createdAt)
      const sent = { status: 'processing', sendState: 'accepted', transferRef, surfacedAt: createdAt, warnings: null }
      // Not spread into a new one, which would cost more than all that the server itself does with it.
      return { kind: 'sent', row: Object.assign(payout, scope, ends, sent, { createdAt, updatedAt: createdAt }) }
    },
  }
}
