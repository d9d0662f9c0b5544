// The mailbox's pages: the mails, or how to get in.
import { escapeHtml } from '../../core/html.ts'
import { momentInWords } from '../../core/words.ts'
import type { KeptMail } from '../../domain/mail/read-mailbox.ts'
import { MAILBOX_STYLE } from './mailbox-style.ts'

export function listPage(mails: readonly KeptMail[]): string {
  const items = mails.map(
    (mail, index) => `<details${index === 0 ? ' open' : ''}>
<summary><b>${escapeHtml(mail.subject)}</b><span>${escapeHtml(mail.to)} · ${momentInWords(mail.at)}</span></summary>
${attachments(mail)}<iframe sandbox title="${escapeHtml(mail.subject)}" src="/mailbox/${mail.id}" loading="lazy"></iframe>
<pre>${escapeHtml(mail.text)}</pre>
</details>`,
  )
  return page(`<p>No mail server is configured, so mail stays here: the latest 200, for this machine only. Reload to see newer ones.</p>
${items.length === 0 ? '<p>There is no mail yet.</p>' : items.join('\n')}`)
}

function attachments({ id, attachments: files = [] }: KeptMail): string {
  const links = files.map(
    ({ fileName }, nth) =>
      `<a href="/mailbox/${id}/attachments/${nth}" target="_blank" rel="noopener">${escapeHtml(fileName)}</a>`,
  )
  return links.length === 0 ? '' : `<p>With it: ${links.join(', ')}</p>\n`
}

/** For somebody who uses this machine without the token. It says where the token is, and nothing about the mails. */
export function closedPage(): string {
  return page(`<p>Codes arrive here, so this page opens with the whole address that <code>npm start</code> printed.</p>
<p>The terminal is gone? Run <code>npx kestrel mailbox</code> in the project’s folder: it shows the address, and the mails.</p>`)
}

function page(body: string): string {
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
${body}
</main></body>
</html>
`
}
