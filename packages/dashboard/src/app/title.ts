import type { Environment } from '@kestrel/contract'

import plain from './favicon.svg'
import withDot from './favicon-sandbox.svg'

/** "Payouts · Sandbox · Thistle Market", and an amber dot on the icon while it is sandbox. */
export function setTitle(parts: readonly string[], environment: Environment | null, business: string | null): void {
  const words = [...parts, environment === 'sandbox' ? 'Sandbox' : null, business ?? 'Kestrel Payouts']
  document.title = words.filter((word) => word !== null).join(' · ')
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  const href = environment === 'sandbox' ? withDot : plain
  if (icon !== null && icon.getAttribute('href') !== href) icon.setAttribute('href', href)
}
