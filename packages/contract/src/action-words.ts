// What each action of the activity log is called, in words: what was done, and what was asked for when it was refused. A route or a
// command whose action is not here does not compile.

/** What was done; what somebody wanted to do; to what; and how it is called when it has a name. */
type Words = readonly [did: string, toDo: string, what?: string, named?: string]

export const ACTION_WORDS = {
  'payout.create': ['created', 'create', 'a payout', 'a payout of'],
  'payout.cancel': ['cancelled', 'cancel', 'a payout', 'a payout of'],
  'payouts.pause': ['paused', 'pause', 'all payouts'],
  'payouts.resume': ['let payouts go out again', 'let payouts go out again'],
  'payout.read': ['read', 'read', 'a payout'],
  'payouts.list': ['listed', 'list', 'payouts'],
  'payouts.export': ['exported', 'export', 'payouts'],
  'confirm_code.create': ['asked for', 'ask for', 'a confirm code'],
  'door_code.create': ['asked for', 'ask for', 'a code to confirm a change'],
  'payout.timeline': ['read', 'read', 'a payout’s timeline'],
  'payout.receipt': ['read', 'read', 'a payout as PDF'],
  'payouts.sum': ['read', 'read', 'payout totals'],
  'payouts.daily': ['read', 'read', 'payouts day by day'],
  'payout.simulate': ['simulated', 'simulate', 'an outcome', 'the outcome'],
  'sandbox.reset': ['reset', 'reset', 'the sandbox'],
  'sandbox.advance': ['let time pass in the sandbox', 'let time pass in the sandbox'],
  'sandbox_invoice.read': ['rehearsed', 'rehearse', 'an invoice'],
  'sandbox_invoice.pdf': ['rehearsed', 'rehearse', 'an invoice as PDF'],
  'quote.create': ['asked for', 'ask for', 'a quote'],
  'account.read': ['read', 'read', 'the account'],
  'balance.read': ['read', 'read', 'the balance'],
  'funding.read': ['read', 'read', 'funding details'],
  'compliance.read': ['read', 'read', 'compliance'],
  'go_live.read': ['read', 'read', 'what is left before live'],
  'verification.start': ['started', 'start', 'verification'],
  'recipients.list': ['listed', 'list', 'recipients'],
  'usage.read': ['read', 'read', 'usage'],
  'invoices.list': ['listed', 'list', 'invoices'],
  'invoice.read': ['read', 'read', 'an invoice'],
  'invoice.pdf': ['read', 'read', 'an invoice as PDF'],
  'invoice.export': ['exported', 'export', 'an invoice'],
  'invoiced_payouts.list': ['listed', 'list', 'an invoice’s payouts'],
  'invoiced_payouts.export': ['exported', 'export', 'an invoice’s payouts'],
  'statement.read': ['read', 'read', 'the statement'],
  'statement.export': ['exported', 'export', 'the statement'],
  'keys.list': ['listed', 'list', 'API keys'],
  'key.create': ['created', 'create', 'an API key', 'the API key'],
  'key.change': ['changed', 'change', 'an API key', 'the API key'],
  'key.rotate': ['rotated', 'rotate', 'an API key', 'the API key'],
  'key.revoke': ['revoked', 'revoke', 'an API key', 'the API key'],
  'webhook_endpoints.list': ['listed', 'list', 'webhook endpoints'],
  'webhook_endpoint.read': ['read', 'read', 'a webhook endpoint'],
  'webhook_endpoint.create': ['created', 'create', 'a webhook endpoint', 'the webhook endpoint'],
  'webhook_endpoint.change': ['changed', 'change', 'a webhook endpoint', 'the webhook endpoint'],
  'webhook_endpoint.rotate_secret': ['rotated', 'rotate', 'a webhook secret', 'the secret of the webhook endpoint'],
  'webhook_endpoint.test': ['tested', 'test', 'a webhook endpoint'],
  'webhook_endpoint.replay': ['sent webhooks of a time again', 'send webhooks of a time again'],
  'webhook_endpoint.delete': ['deleted', 'delete', 'a webhook endpoint', 'the webhook endpoint'],
  'webhook_deliveries.list': ['listed', 'list', 'webhook deliveries'],
  'webhook_delivery.read': ['looked into', 'look into', 'a webhook delivery'],
  'event.redeliver': ['sent an event again', 'send an event again'],
  'members.list': ['listed', 'list', 'the team'],
  'member.invite': ['invited', 'invite', 'a member', ''],
  'member.change': ['changed', 'change', 'a member', ''],
  'member.remove': ['removed', 'remove', 'a member', ''],
  'invitations.list': ['listed', 'list', 'invitations'],
  'invitation.send': ['sent an invitation again', 'send an invitation again', '', 'to'],
  'invitation.withdraw': ['withdrew', 'withdraw', 'an invitation', 'the invitation of'],
  'invitation.accept': ['accepted', 'accept', 'an invitation'],
  'invitation.decline': ['declined', 'decline', 'an invitation'],
  'session.create': ['signed in', 'sign in'],
  'session.end': ['signed out', 'sign out'],
  'session.read': ['opened', 'open', 'the dashboard'],
  'session.change': ['switched business', 'switch business'],
  'session.revoke': ['signed a browser out', 'sign a browser out'],
  'sessions.list': ['listed', 'list', 'sign-ins'],
  'stream.open': ['listened for updates', 'listen for updates'],
  'events.list': ['listed', 'list', 'events'],
  'event.read': ['read', 'read', 'an event'],
  'settings.read': ['read', 'read', 'settings'],
  'settings.change': ['changed', 'change', 'settings', 'settings of'],
  'logo.change': ['changed', 'change', 'the logo'],
  'logo.remove': ['removed', 'remove', 'the logo'],
  'activity.list': ['read', 'read', 'the log'],
  'activity.read': ['looked into', 'look into', 'a request'],
  'activity.export': ['exported', 'export', 'the log'],
  'activity.chain': ['read', 'read', 'the log with its hashes'],
  'activity.heads': ['read', 'read', 'the signed heads of the log'],
  'wallet.top_up': ['added', 'add', 'test money', ''],
  // What only the operator does.
  'invoice.mail': ['mailed', 'mail', 'an invoice', 'the invoice'],
  'invoice.pay': ['marked an invoice as paid', 'mark an invoice as paid', '', ''],
  'invoice.void': ['voided', 'void', 'an invoice', 'the invoice'],
  'partner.create': ['opened', 'open', 'the account'],
  'partner.verify': ['vouched for', 'vouch for', 'the business'],
  'partner.suspend': ['suspended', 'suspend', 'the account'],
  'partner.activate': ['activated', 'activate', 'the account'],
  'partner.close': ['closed', 'close', 'the account'],
  'partner.limits': ['changed', 'change', 'the limits of payouts'],
  'payout.recall': ['charged for', 'charge for', 'the recall of a payout'],
  'payout.trace': ['charged for', 'charge for', 'the trace of a payout'],
  'payout.refresh': ['asked the bank about', 'ask the bank about', 'a payout'],
  'payout.resolve': ['ended a payout by hand', 'end a payout by hand'],
  'payout.came_back': ['said what the bank gave back of a payout', 'say what the bank gave back of a payout'],
  'payout.made_good': ['made good what the bank gave back too little', 'make good what the bank gave back too little'],
  'payout.top_up': ['added what a payout lacked at the bank', 'add what a payout lacked at the bank'],
  'payout.release': ['gave a payout’s money back to the wallet', 'give a payout’s money back to the wallet'],
  'plan.set': ['changed', 'change', 'the prices'],
  'wallet.credit': ['put money into the wallet', 'put money into the wallet'],
  'wallet.debit': ['took money out of the wallet', 'take money out of the wallet'],
} as const satisfies Readonly<Record<string, Words>>

export type ActionName = keyof typeof ACTION_WORDS

const BY_NAME: ReadonlyMap<string, Words> = new Map(Object.entries(ACTION_WORDS))

/** "created a payout" for payout.create, or "created the API key “orders”". A name that came later still reads: "webhook send test". */
export function whatWasDone(action: string, name: string | null = null, status: number | null = null): string {
  const words = action === 'payout.create' && status === 200 ? REPEATED : BY_NAME.get(action)
  return sentencePart(words, 0, action, name)
}

/** The answer was the payout that the key had made before: nothing was created. */
const REPEATED: Words = ['asked again for', 'ask again for', 'a payout', 'a payout of']

/** "create a payout", for what was refused. */
export function whatWasWanted(action: string, name: string | null = null): string {
  return sentencePart(BY_NAME.get(action), 1, action, name)
}

function sentencePart(words: Words | undefined, form: 0 | 1, action: string, name: string | null): string {
  if (words === undefined) return action.replaceAll(/[._]/g, ' ')
  const [, , what = '', named] = words
  const object = name === null || named === undefined ? what : `${named} ${name}`.trim()
  return `${words[form]} ${object}`.trim()
}

/** The title of a request: a refused one did not do what was asked. */
export function requestTitle(action: string, status: number | null): string {
  if (status === null || status < 400) return capital(whatWasDone(action, null, status))
  return `${status < 500 ? 'Refused' : 'Failed'}: ${whatWasWanted(action)}`
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
