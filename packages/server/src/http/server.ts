// The HTTP service, the same for production and for every test.
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

import swagger from '@fastify/swagger'
import { PUBLISHED_SCHEMAS } from '@kestrel/contract'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'

import { AppError, notFound } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { areValidCredentials } from '../domain/access/valid-credentials.ts'
import { addAuthentication } from './access/authenticate.ts'
import { createClientErrorHandler, createExpectationHandler } from './broken-requests.ts'
import { addDocsRoutes } from './docs/docs-routes.ts'
import { openApiOptions } from './docs/openapi.ts'
import { addErrorHandling, sendRefusal } from './errors/error-handler.ts'
import { dropForwardedPorts } from './access/forwarded-address.ts'
import { keepAddresses } from './access/kept-address.ts'
import { addTraces } from './access/request-trace.ts'
import { timesSent } from './access/times-sent.ts'
import { type Forwarded, addProxyWatch } from './access/unnamed-proxy.ts'
import { refuseOtherMethods } from './errors/method-not-allowed.ts'
import { CallerLimits } from './limits/caller-limits.ts'
import { NetworkGate } from './limits/network-gate.ts'
import { beginInTurn } from './limits/requests-in-turn.ts'
import { addRequestRecords } from './record-request.ts'
import { addRoutes } from './routes/add-routes.ts'
import { type HealthChecks, addHealthRoutes } from './routes/health.ts'
import type { DashboardOptions, ServerDeps } from './routes/route-context.ts'
import { SECURITY_HEADERS } from './security-headers.ts'
import { takeNoBody } from './body/no-body.ts'
import { buildLazySerializers, prepareWriter, schemaBucket } from './body/serialization.ts'
import { parseStrictJson } from './body/strict-json.ts'
import { buildLazyValidators, prepareReader } from './body/validation.ts'

export interface ServerOptions {
  readonly deps: ServerDeps
  readonly log: FastifyBaseLogger
  readonly publicUrl: string
  /** Requests per second per key, with bursts of twice that, and twice that per business; 0 switches the limits off. */
  readonly rateLimitPerSecond: number
  /** Requests per second per network without a key or a session, with bursts of ten times that; 0 switches it off. */
  readonly networkLimitPerSecond?: number
  readonly checks: HealthChecks
  readonly dashboard: DashboardOptions
  /** Where the guides lie. */
  readonly guidesFolder: string
  /** Proxies that are trusted to name a caller's address; by default none. */
  readonly trustProxy?: readonly string[]
  /** Whether requests without a trace get one. */
  readonly areTracesExported?: boolean
  /** A request was forwarded by something that is not among them. */
  readonly onForwarded?: (forwarded: Forwarded) => void
}

const BODY_LIMIT_BYTES = 32 * 1024
/** A slow sender may hold a connection for this long and no longer. */
const LONGEST_SENDING_MS = 15_000
const DEFAULT_NETWORK_LIMIT = 50

export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const { deps, log, publicUrl } = options
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    // record-request.ts writes the one line per request.
    logController: new LogController({ disableRequestLogging: true }),
    // The framework's own lines (a caller who leaves in the middle of an answer) get no fields of their own either.
    childLoggerFactory: (logger) => logger,
    genReqId: () => newId(deps.clock.now()),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: options.trustProxy === undefined ? false : [...options.trustProxy],
    requestTimeout: LONGEST_SENDING_MS,
    connectionTimeout: 30_000,
    keepAliveTimeout: 65_000,
    http: {
      // Node takes the longer of the two for the whole request, whichever that is.
      headersTimeout: LONGEST_SENDING_MS,
      // By itself Node looks for slow senders every half a minute.
      connectionsCheckingInterval: 1_000,
      // Node would answer a request without a Host by itself, in another shape.
      requireHostHeader: false,
    },
    exposeHeadRoutes: true,
    // Fastify's own 503 has another shape; addCommonHeaders answers instead.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    schemaController: {
      bucket: schemaBucket,
      compilersFactory: { buildValidator: buildLazyValidators, buildSerializer: buildLazySerializers },
    },
    clientErrorHandler: createClientErrorHandler(deps.clock, publicUrl),
    // An address that cannot be decoded or is too long: nothing can be there. Hooks have not run yet.
    frameworkErrors: (_error, request, reply) => {
      reply.headers(commonHeaders(request.id))
      void sendRefusal(notFound(), request, reply, publicUrl)
    },
  })
  // Node shows two thousand and drops those behind them, which a proxy may have added. All of them together have a limit of their own.
  app.server.maxHeadersCount = 0
  app.server.on('checkExpectation', createExpectationHandler(deps.clock, publicUrl))
  for (const schema of PUBLISHED_SCHEMAS) app.addSchema(schema)
  addJsonReader(app)
  takeNoBody(app)
  keepAddresses(app)
  beginInTurn(app)
  addErrorHandling(app, log, publicUrl)
  addCommonHeaders(app)
  endStreamsOfHead(app)
  if (options.trustProxy !== undefined) app.addHook('onRequest', async (request) => dropForwardedPorts(request))
  if (options.onForwarded !== undefined) addProxyWatch(app, options.onForwarded)
  addAuthentication(app, deps, { ...limitsFor(deps, options), publicUrl })
  addTraces(app, { areExported: options.areTracesExported === true })
  addRequestRecords(app, deps, log)
  await app.register(swagger, openApiOptions(publicUrl))

  const refuseHidden = refuseOtherMethods(app)
  const context = { app, deps, publicUrl, dashboard: options.dashboard }
  await addRoutes(context)
  addHealthRoutes(app, options.checks)
  addDocsRoutes(app, { folder: options.guidesFolder, publicUrl })
  refuseHidden()
  prepareOnceOpen(app)
  return app
}

/** What the first request needs is made when the doors are open, and not before. */
function prepareOnceOpen(app: FastifyInstance): void {
  app.addHook('onListen', async () => {
    setImmediate(() => {
      prepareReader()
      prepareWriter()
    })
  })
}

/** The only parser, for exactly one kind of body. */
function addJsonReader(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
      done(new AppError('unsupported_media_type', `Send the body in UTF-8, not in ${charset.slice(0, 40)}.`))
      return
    }
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (encoding.toLowerCase() !== 'identity') {
      done(new AppError('unsupported_media_type', 'Send the body as it is: Content-Encoding is not understood here.'))
      return
    }
    try {
      done(null, parseStrictJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

function commonHeaders(requestId: string): Record<string, string> {
  return { ...SECURITY_HEADERS, 'X-Request-Id': requestId }
}

function addCommonHeaders(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(request.id))
    if (isClosing) {
      reply.header('Connection', 'close')
      throw new AppError('unavailable', 'The service is stopping. Try again shortly.', { retryAfterSeconds: 1 })
    }
    refuseUnclearHost(request.raw)
    done()
  })
}

/**
 * With several Host headers a proxy may have read another one than we do. HTTP/1.0 has none; some load balancers'
 * checks use it.
 */
function refuseUnclearHost(raw: IncomingMessage): void {
  if (raw.headers.host === undefined && raw.httpVersion !== '1.0') {
    throw new AppError('bad_request', 'The request has no Host header.')
  }
  if (timesSent(raw, 'host') > 1) throw new AppError('bad_request', 'The request has more than one Host header.')
}

/** To answer a HEAD, the framework would read a stream to its end: a whole export, or events without end. */
function endStreamsOfHead(app: FastifyInstance): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.method === 'HEAD' && payload instanceof Readable) payload.destroy()
    done(null, payload)
  })
}

/** Without a limit for known callers there is none for strangers either. */
function limitsFor(
  deps: ServerDeps,
  options: ServerOptions,
): { limits: CallerLimits | null; gate: NetworkGate | null } {
  const { rateLimitPerSecond: perSecond, networkLimitPerSecond: perNetwork = DEFAULT_NETWORK_LIMIT } = options
  return {
    limits: perSecond === 0 ? null : new CallerLimits(perSecond),
    gate:
      perSecond === 0 || perNetwork === 0
        ? null
        : new NetworkGate(perNetwork, (hashes) => areValidCredentials(deps, hashes)),
  }
}
