// The one page of the shop: sellers, what they are owed, and what became of each payment.
import { gbp, hundredths } from '@kestrel/sdk'

import { isOwed } from './payments.mjs'

/** Looks once a second, and shows what has changed without a reload. */
export const LIVE_SCRIPT = `setInterval(async () => {
  const answer = await fetch('/').catch(() => null)
  if (answer === null || !answer.ok) return
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main')
  const main = document.querySelector('main')
  if (main.innerHTML === next.innerHTML) return
  const focused = document.activeElement?.id
  main.innerHTML = next.innerHTML
  if (focused) document.getElementById(focused)?.focus()
}, 1000)
`

export function renderPage({ sellers, orders }, trouble) {
  const [owed, underWay, paid] = [isOwed, isUnderWay, isPaid].map((is) => pounds(orders.filter(is)))
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Thistle Market: sellers</title>
<style>${STYLE}</style>
<script src="/live.js" defer></script>
</head>
<body>
<header><h1>Thistle Market</h1><p>What we owe our sellers. Test money.</p></header>
<main>
${trouble === null ? '' : `<p class="trouble bad" role="status">Kestrel cannot be asked at the moment. ${escape(trouble)}</p>`}
<dl aria-live="polite">
<div><dt>Owed</dt><dd>${owed}</dd></div><div><dt>On its way</dt><dd>${underWay}</dd></div><div><dt>Paid</dt><dd>${paid}</dd></div>
</dl>
${sellers.map((seller) => renderSeller(seller, orders)).join('\n')}
</main>
</body>
</html>`
}

const isUnderWay = ({ payments }) => ['sending', 'pending', 'processing'].includes(payments.at(-1)?.status)
const isPaid = ({ payments }) => payments.at(-1)?.status === 'completed'

/** Money is never a floating-point number: whole pence are added. */
const pounds = (orders) => `£${gbp(orders.reduce((sum, { amount_gbp }) => sum + hundredths(amount_gbp), 0n))}`

function renderSeller({ id, recipient: { first_name, last_name, bank } }, allOrders) {
  const orders = allOrders.filter(({ seller }) => seller === id)
  const name = `${first_name} ${last_name}`
  const owed = orders.filter(isOwed)
  return `<section aria-labelledby="${escape(id)}">
<div class="seller"><h2 id="${escape(id)}">${escape(name)}</h2>
<p>${escape(bank.bank_name)} ··${escape(bank.account_number.slice(-4))}</p>
<p class="owed">${owed.length === 0 ? 'Nothing owed' : `Owed ${pounds(owed)}`}</p></div>
<ul>${orders.map((order) => renderOrder(order, name)).join('')}</ul>
</section>`
}

function renderOrder(order, name) {
  const { id, what, amount_gbp, payments } = order
  const [tone, word, more] = inWords(payments.at(-1))
  const button = `<form method="post" action="/orders/${id}/pay"><button id="pay-${id}" aria-label="Pay £${amount_gbp} to ${escape(name)} for order ${id}">Pay £${amount_gbp}</button></form>`
  return `<li data-order="${id}">
<span class="what"><strong>Order ${id}</strong> ${escape(what)}</span>
<span class="amount">£${amount_gbp}</span>
<span class="state ${tone}">${word}</span>
${isOwed(order) ? button : ''}
${more === '' ? '' : `<p class="more">${escape(more)}</p>`}
</li>`
}

/** How it stands: its colour, a word or two, and a sentence where there is more to say. */
function inWords(payment) {
  if (payment === undefined) return ['quiet', 'Owed', '']
  const { status, isMoneyBack } = payment
  const reason = payment.reason ?? ''
  const money = isMoneyBack ? 'The money is back in the wallet.' : 'The money is on its way back to the wallet.'
  const words = {
    sending: ['busy', 'Asking', 'If no answer comes, we ask again with the same key: nobody is paid twice.'],
    pending: ['busy', 'On its way', ''],
    processing: ['busy', 'On its way', ''],
    completed: ['good', 'Paid', ''],
    refused: ['bad', 'Refused, still owed', reason],
    failed: ['bad', 'Failed, still owed', reason],
    cancelled: ['bad', 'Cancelled, still owed', reason],
    returned: ['bad', 'Came back, owed again', `${reason} ${money}`.trim()],
  }
  // Kestrel may have more words one day: one that we do not know is not yet paid, and not to be paid again.
  return words[status] ?? ['busy', 'On its way', '']
}

function escape(text) {
  const names = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return String(text).replaceAll(/[&<>"']/g, (letter) => names[letter])
}

const STYLE = `
:root { color-scheme: light dark; --page: #faf9f7; --card: #fff; --line: #e4e2dd; --ink: #1b1c1f; --muted: #5f5e5a;
  --good: #0b6b3a; --good-soft: #e3f4ea; --bad: #a3242b; --bad-soft: #fbe9e9; --busy: #3546b0; --busy-soft: #eaedfb; --soft: #efedea }
@media (prefers-color-scheme: dark) { :root { --page: #111214; --card: #191a1d; --line: #2e3035; --ink: #f2f2f0; --muted: #a5a49f;
  --good: #7fd8a6; --good-soft: #10301f; --bad: #f3a3a7; --bad-soft: #3a1719; --busy: #aab6ff; --busy-soft: #1d2547; --soft: #2a2b2f } }
* { box-sizing: border-box; margin: 0 }
body { font: 16px/1.5 system-ui, sans-serif; background: var(--page); color: var(--ink); max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem }
h1 { font-size: 1.5rem; letter-spacing: -.01em } h2 { font-size: 1.05rem } header p, .seller p { color: var(--muted) }
dl { display: flex; flex-wrap: wrap; gap: .75rem 2.25rem; margin: 1.5rem 0 } dt { color: var(--muted); font-size: .875rem }
dd { font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums }
section { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; margin-bottom: 1rem; overflow: hidden }
.seller { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .75rem; padding: 1rem 1.25rem }
.seller .owed { margin-left: auto; color: var(--ink); font-weight: 600; font-variant-numeric: tabular-nums }
ul { list-style: none; padding: 0 }
li { display: grid; grid-template-columns: 1fr auto; align-items: center; gap: .375rem 1rem; padding: .875rem 1.25rem; border-top: 1px solid var(--line) }
.what strong { font-weight: 600; margin-right: .375rem } .amount { font-variant-numeric: tabular-nums; font-weight: 600; text-align: right }
.state { justify-self: start; border-radius: 1rem; padding: .0625rem .625rem; font-size: .875rem; font-weight: 500; background: var(--soft) }
.good { background: var(--good-soft); color: var(--good) } .bad { background: var(--bad-soft); color: var(--bad) } .busy { background: var(--busy-soft); color: var(--busy) }
.trouble { border-radius: .5rem; padding: .75rem 1rem; margin-top: 1rem }
.more { grid-column: 1 / -1; color: var(--muted); font-size: .875rem }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: 0 1rem; border: 0; border-radius: .5rem; background: var(--ink); color: var(--page); cursor: pointer; font-variant-numeric: tabular-nums }
button:focus-visible { outline: 3px solid var(--busy); outline-offset: 2px }
`
