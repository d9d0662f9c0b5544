// How every mail looks: one column, one thing to do, light or dark as the reader likes. Whatever is shown is escaped.
import { escapeHtml } from '../../core/html.ts'
import type { MailContent } from '../mail.ts'

export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'warning'; readonly text: string }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'facts'; readonly facts: readonly (readonly [name: string, value: string])[] }
  | { readonly kind: 'link'; readonly label: string; readonly url: string }

export const text = (words: string): Block => ({ kind: 'text', text: words })
export const warning = (words: string): Block => ({ kind: 'warning', text: words })
export const code = (digits: string): Block => ({ kind: 'code', code: digits })
export const facts = (...pairs: (readonly [string, string])[]): Block => ({ kind: 'facts', facts: pairs })
export const link = (label: string, url: string): Block => ({ kind: 'link', label, url })

const FOOTER = 'Kestrel Payouts sends this because somebody used your address there. It never asks you for a password.'

export function layOut(mail: { subject: string; title: string; blocks: readonly Block[] }): MailContent {
  const subject = oneLine(mail.subject)
  return {
    subject,
    text: [mail.title, ...mail.blocks.map(inText), '-- ', FOOTER].join('\n\n'),
    html: page(subject, [
      `<h1>${escapeHtml(mail.title)}</h1>`,
      ...mail.blocks.map(inHtml),
      `<p class="footer">${escapeHtml(FOOTER)}</p>`,
    ]),
  }
}

/** A subject is a header: nothing that somebody typed may end its line. */
function oneLine(words: string): string {
  return words.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

function inText(block: Block): string {
  switch (block.kind) {
    case 'text':
      return block.text
    case 'warning':
      return `! ${block.text}`
    case 'code':
      return `    ${block.code}`
    case 'facts':
      return block.facts.map(([name, value]) => `${name}: ${oneLine(value)}`).join('\n')
    case 'link':
      return `${block.label}: ${block.url}`
  }
}

function inHtml(block: Block): string {
  switch (block.kind) {
    case 'text':
      return `<p>${escapeHtml(block.text)}</p>`
    case 'warning':
      return `<p class="warning">${escapeHtml(block.text)}</p>`
    case 'code':
      return `<p class="code">${escapeHtml(block.code)}</p>`
    case 'facts':
      return `<table role="presentation">${block.facts.map(row).join('')}</table>`
    case 'link':
      return `<p><a href="${escapeHtml(block.url)}">${escapeHtml(block.label)}</a></p>`
  }
}

function row([name, value]: readonly [string, string]): string {
  return `<tr><td class="name">${escapeHtml(name)}</td><td>${escapeHtml(value)}</td></tr>`
}

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 24px; background: #fbfaf8; color: #1a1b1e; font: 16px/1.5 ui-sans-serif, system-ui, sans-serif; }
main { max-width: 480px; margin: 0 auto; }
h1 { font-size: 20px; margin: 0 0 16px; }
.code { font: 600 32px/1.2 ui-monospace, Menlo, monospace; letter-spacing: 6px; margin: 24px 0; }
td { padding: 2px 16px 2px 0; vertical-align: top; overflow-wrap: anywhere; }
h1, p { overflow-wrap: anywhere; }
td.name { white-space: nowrap; }
.warning { padding: 8px 12px; border-left: 4px solid #b45309; background: #fdf3e1; color: #5f3406; }
.name, .footer { color: #5c5a55; }
.footer { font-size: 13px; margin-top: 32px; }
a { color: #2b4bd8; }
@media (prefers-color-scheme: dark) {
  body { background: #101113; color: #f2f2f0; }
  .warning { background: #3a2a10; color: #f6d9a4; border-color: #f0a93b; }
  .name, .footer { color: #a5a7ac; }
  a { color: #8fa6ff; }
}`

function page(title: string, parts: readonly string[]): string {
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body><main>
${parts.join('\n')}
</main></body>
</html>
`
}
