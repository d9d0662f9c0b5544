// The bank's HTTP side: the real bank's API under /v0, the control plane under /_control, and the pages that links in
// answers lead to.
import Fastify, { type FastifyInstance } from 'fastify'

import type { BankLog } from '../bank-log.ts'
import { newId } from '../core/ids.ts'
import type { BankDeps } from '../domain/bank-deps.ts'
import { type FaultBoard, routePattern } from '../faults/fault-board.ts'
import { requireApiKey, requireControlKey } from './authenticate.ts'
import { addAppearanceControls } from './control/appearances.ts'
import { addBookControls } from './control/books.ts'
import { addFaultControls } from './control/faults.ts'
import { addTermsControls } from './control/terms.ts'
import { addReadingControls } from './control/readings.ts'
import { addTransferControls } from './control/transfers.ts'
import { addVerificationControls } from './control/verifications.ts'
import { addWalletControls } from './control/wallets.ts'
import { addWorldControls } from './control/world.ts'
import { addErrorHandling } from './error-handler.ts'
import { addFaults } from './inject-faults.ts'
import { RequestJournal, addRequestJournal } from './request-journal.ts'
import type { RouteContext } from './route-context.ts'
import { addCustomerRoutes } from './routes/customers.ts'
import { addExchangeRateRoutes } from './routes/exchange-rates.ts'
import { addExternalAccountRoutes } from './routes/external-accounts.ts'
import { addKycLinkRoutes } from './routes/kyc-links.ts'
import { addLiquidationAddressRoutes } from './routes/liquidation-addresses.ts'
import { addPages } from './routes/pages.ts'
import { addTransferRoutes } from './routes/transfers.ts'
import { addVirtualAccountRoutes } from './routes/virtual-accounts.ts'
import { addWalletRoutes } from './routes/wallets.ts'
import { addWebhookRoutes } from './routes/webhooks.ts'
import { compileBody } from './validate-body.ts'

export interface ServerOptions {
  readonly deps: BankDeps
  readonly apiKey: string
  readonly controlKey: string
  readonly log: BankLog
  readonly faults: FaultBoard
  readonly nudge: () => void
}

export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const { deps, log, faults, nudge } = options
  const app = Fastify({
    // request-journal.ts writes the one line per request.
    logger: false,
    genReqId: () => newId(),
    bodyLimit: 64 * 1024,
    exposeHeadRoutes: false,
    // Requests hang here on purpose, and must not keep the bank from closing.
    forceCloseConnections: true,
    // Limits how long a request may take to arrive. An answer may be as late as a fault wants it.
    requestTimeout: 15_000,
  })
  app.setValidatorCompiler(compileBody)
  const journal = new RequestJournal()
  const routes = collectRoutes(app)
  readEmptyBodies(app)
  addErrorHandling(app, log, deps.readings)
  addRequestJournal(app, { journal, log, clock: deps.clock })
  addPages(app)
  await app.register(
    async (api) => {
      addFaults(api, faults)
      requireApiKey(api, options.apiKey)
      addApiRoutes({ app: api, deps, nudge })
    },
    { prefix: '/v0' },
  )
  await app.register(
    async (control) => {
      requireControlKey(control, options.controlKey)
      const context = { app: control, deps, nudge }
      addTermsControls(context)
      addTransferControls(context)
      addWalletControls(context)
      addVerificationControls(context)
      addWorldControls(context, { faults, journal })
      addReadingControls(context)
      addAppearanceControls(context)
      addFaultControls(context, { faults, routes })
      addBookControls(context, journal)
    },
    { prefix: '/_control' },
  )
  return app
}

function addApiRoutes(context: RouteContext): void {
  addCustomerRoutes(context)
  addKycLinkRoutes(context)
  addWalletRoutes(context)
  addVirtualAccountRoutes(context)
  addLiquidationAddressRoutes(context)
  addExternalAccountRoutes(context)
  addTransferRoutes(context)
  addExchangeRateRoutes(context)
  addWebhookRoutes(context)
}

/** Collected so that a fault for a route that does not exist can be refused. */
function collectRoutes(app: FastifyInstance): ReadonlySet<string> {
  const routes = new Set<string>()
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) if (url.startsWith('/v0')) routes.add(`${each} ${routePattern(url)}`)
  })
  return routes
}

/** The real bank's own examples send a Content-Type with an empty body. */
function readEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, {})
    else void parse(request, body as string, done)
  })
}
