// The mail that there is no mail server for, to be read on this machine: codes are in it, so it is nobody else's.
import type { FastifyRequest } from 'fastify'

import { notFound } from '../../core/errors.ts'
import { escapeHtml } from '../../core/html.ts'
import { momentInWords } from '../../core/words.ts'
import { type KeptMail, readMailbox } from '../../domain/mail/read-mailbox.ts'
import { MAILBOX_STYLE } from './mailbox-style.ts'
import type { RouteContext } from './route-context.ts'

const HTML = 'text/html; charset=utf-8'
const LIST_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'"
/** A mail is shown as a mail program would: no scripts, nothing fetched, no way out. */
const MAIL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups; frame-ancestors 'self'"

export function addMailboxRoutes({ app, deps, dashboard }: RouteContext): void {
  if (!dashboard.hasMailbox) return
  const open = { config: { auth: 'none' }, schema: { hide: true } as object } as const
  app.get('/mailbox', {
    ...open,
    handler: async (request, reply) => {
      refuseOtherMachines(request)
      return reply
        .type(HTML)
        .header('Content-Security-Policy', LIST_POLICY)
        .send(listPage(await readMailbox(deps)))
    },
  })
  app.get<{ Params: { id: string } }>('/mailbox/:id', {
    ...open,
    handler: async (request, reply) => {
      refuseOtherMachines(request)
      const mail = (await readMailbox(deps)).find(({ id }) => id === request.params.id)
      if (mail === undefined) throw notFound()
      return reply.type(HTML).header('Content-Security-Policy', MAIL_POLICY).send(mail.html)
    },
  })
}

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/** Neither another machine, nor a proxy on this one, nor a page whose name was made to point here. */
function refuseOtherMachines(request: FastifyRequest): void {
  const isHere = LOOPBACK.has(request.socket.remoteAddress ?? '') && OWN_HOST.test(request.headers.host ?? '')
  if (!isHere || FORWARDED.some((name) => request.headers[name] !== undefined)) throw notFound()
}

function listPage(mails: readonly KeptMail[]): string {
  const items = mails.map(
    (mail, index) => `<details${index === 0 ? ' open' : ''}>
<summary><b>${escapeHtml(mail.subject)}</b><span>${escapeHtml(mail.to)} · ${momentInWords(mail.at)}</span></summary>
<iframe sandbox title="${escapeHtml(mail.subject)}" src="/mailbox/${mail.id}" loading="lazy"></iframe>
<pre>${escapeHtml(mail.text)}</pre>
</details>`,
  )
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Mailbox · Kestrel Payouts</title>
<style>${MAILBOX_STYLE}</style>
</head>
<body><main>
<h1>Mailbox</h1>
<p>No mail server is configured, so mail stays here: the latest 200, for this machine only. Reload to see newer ones.</p>
${items.length === 0 ? '<p>There is no mail yet.</p>' : items.join('\n')}
</main></body>
</html>
`
}
