// The pages that links in answers lead to. The real bank has forms there; the sandbox bank says what to do instead.
import type { FastifyInstance } from 'fastify'

const PAGES: Readonly<Record<string, string>> = {
  '/verify/:customerId':
    'Sandbox bank: business verification happens here.\n\nNothing has to be filled in. Approve it with POST /v0/customers/{id}/simulate_kyc_approval,\nor approve, reject or review it with POST /_control/kyc_links/{id}/{approve|reject|review}.\n',
  '/accept-terms-of-service/:customerId':
    'Sandbox bank: the terms of service are accepted here.\n\nAccept them with POST /_control/kyc_links/{id}/accept_tos.\n',
  '/receipts/:id': 'Sandbox bank: the receipt of a transfer or deposit. No real money has moved.\n',
}

export function addPages(app: FastifyInstance): void {
  for (const [path, text] of Object.entries(PAGES)) {
    app.get(path, async (_request, reply) => reply.type('text/plain; charset=utf-8').send(text))
  }
  app.get('/healthz', async () => ({ status: 'ok' }))
}
