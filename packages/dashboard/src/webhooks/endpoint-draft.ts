// An endpoint as somebody fills it in.
import type { WebhookEndpoint } from '@kestrel/contract'
import { EVENT_TYPES } from '@kestrel/contract/event-type'

export interface EndpointDraft {
  readonly url: string
  readonly description: string
  /** Also those that there will be. */
  readonly wantsAll: boolean
  readonly types: readonly string[]
}

export const NEW_DRAFT: EndpointDraft = { url: '', description: '', wantsAll: true, types: [] }

export function draftOf({ url, description, events }: WebhookEndpoint): EndpointDraft {
  const wantsAll = events.includes('*')
  return { url, description: description ?? '', wantsAll, types: wantsAll ? [] : events }
}

/** In the order in which the service names them. */
export function toggled(types: readonly string[], type: string): readonly string[] {
  const isChosen = (each: string) => (each === type ? !types.includes(type) : types.includes(each))
  const known: readonly string[] = EVENT_TYPES
  return [...known.filter(isChosen), ...types.filter((each) => !known.includes(each))]
}

/** What keeps it from being saved; null when nothing does. The server judges the address. */
export function mistakeIn({ url, wantsAll, types }: EndpointDraft): { field: 'url' | 'events'; words: string } | null {
  if (url.trim() === '') return { field: 'url', words: 'Enter the address of your receiver.' }
  if (!wantsAll && types.length === 0) return { field: 'events', words: 'Choose at least one type of event.' }
  return null
}

export function bodyOf({ url, description, wantsAll, types }: EndpointDraft) {
  const words = description.trim()
  return { url: url.trim(), description: words === '' ? null : words, events: wantsAll ? ['*'] : [...types] }
}

/** The types, in groups by what they are about. */
export const EVENT_GROUPS: readonly {
  readonly about: string
  readonly types: readonly (typeof EVENT_TYPES)[number][]
}[] = [
  { about: 'Payouts', types: EVENT_TYPES.filter((type) => type.startsWith('payout.')) },
  { about: 'Wallet', types: EVENT_TYPES.filter((type) => /^(?:balance|deposit)\./.test(type)) },
  { about: 'Invoices', types: EVENT_TYPES.filter((type) => type.startsWith('invoice.')) },
  {
    about: 'Account',
    types: EVENT_TYPES.filter((type) => !/^(?:payout|balance|deposit|invoice)\./.test(type)),
  },
]

/** What can be sent as a test: a ping, or an event about a payout that does not exist. */
export const TEST_TYPES: readonly string[] = ['ping', ...EVENT_TYPES.filter((type) => type.startsWith('payout.'))]
