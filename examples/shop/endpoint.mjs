// Where Kestrel sends its events to: the shop registers itself.

const EVENTS = ['completed', 'failed', 'cancelled', 'returned', 'refunded', 'processing', 'pending', 'created']

/** The secret is shown once, when an endpoint is made. One of ours whose secret was lost is replaced. */
export async function registerEndpoint(kestrel, { state, save }, url) {
  let isThere = false
  for await (const each of kestrel.webhookEndpoints.list()) {
    const isOurs = each.id === state.endpoint?.id
    if (isOurs && each.url === url && each.status === 'active') isThere = true
    else if (isOurs || each.url === url) await kestrel.webhookEndpoints.delete(each.id)
  }
  if (isThere) return
  const events = EVENTS.map((name) => `payout.${name}`)
  const { id, secret } = await kestrel.webhookEndpoints.create({ url, events, description: 'Example shop' })
  // What happened before it was there is read once, from the beginning.
  Object.assign(state, { endpoint: { id, secret }, lastEvent: null })
  save()
}
