// What must be true of what receivers got, compared with what the database says has happened.
import { expect } from 'vitest'

import { groupBy } from '../../../src/core/group-by.ts'
import type { Received } from '../../support/receiver.ts'
import type { Home } from '../program.ts'
import type { Hook } from './hooks.ts'

export interface KnownEvent extends Record<string, unknown> {
  readonly id: string
  readonly type: string
  readonly subject: string
  readonly sequence: number
}

/** In the order in which they happened. */
export function listEvents({ owner }: Home, partnerId: string, after: string): Promise<KnownEvent[]> {
  return owner.query<KnownEvent>(
    `select id, type, subject_id as subject, sequence from events
      where partner_id = $1 and environment = 'sandbox' and position > $2 order by position`,
    [partnerId, after],
  )
}

export const idsOf = (messages: readonly { readonly id: string }[]) => new Set(messages.map(({ id }) => id))

export function hasAll(got: readonly Received[], due: readonly KnownEvent[]): boolean {
  const received = idsOf(got)
  return due.every(({ id }) => received.has(id))
}

/** Everything that is due, nothing that has not happened, and the same text however often it came. */
export function expectAll(got: readonly Received[], due: readonly KnownEvent[], happened: readonly KnownEvent[]): void {
  const known = idsOf(happened)
  const received = idsOf(got)
  expect({ missing: due.filter(({ id }) => !received.has(id)) }).toEqual({ missing: [] })
  expect({ unknown: got.filter(({ id }) => !known.has(id)).map(({ id }) => id) }).toEqual({ unknown: [] })
  const types = new Map(happened.map(({ id, type }) => [id, type]))
  expect(got.filter(({ id, event }) => event.id !== id || event.type !== types.get(id))).toEqual([])
  const texts = new Map<string, string>()
  for (const { id, body } of got) texts.set(id, texts.get(id) ?? body)
  expect({ different: got.filter(({ id, body }) => texts.get(id) !== body).map(({ id }) => id) }).toEqual({
    different: [],
  })
}

/**
 * Without what came again, each subject's events come in their order. Only one whose first attempt is a minute ago may be passed.
 */
export async function expectInOrder({ owner }: Home, { id: endpointId, accepted }: Hook): Promise<void> {
  const rows = await owner.query<{ id: string; until: Date }>(
    `select event_id as id, in_order_until as until from webhook_deliveries where endpoint_id = $1 and cause = 'event'`,
    [endpointId],
  )
  const holdsUntil = new Map(rows.map(({ id, until }) => [id, until.getTime()]))
  const passed: string[] = []
  for (const [subject, messages] of groupBy(firstOf(accepted), ({ event }) => event.subject.id)) {
    messages.forEach((message, nth) => {
      const missing = messages.slice(nth + 1).filter(({ event }) => event.sequence < message.event.sequence)
      const isHeld = missing.some(({ id }) => message.at < holdsUntil.get(id)!)
      if (isHeld) passed.push(`${subject} ${message.event.sequence}`)
    })
  }
  expect({ passed }).toEqual({ passed: [] })
}

/** Each message as it came first. */
function firstOf(messages: readonly Received[]): Received[] {
  const seen = new Set<string>()
  return messages.filter(({ id }) => !seen.has(id) && seen.add(id))
}

/** How often it was tried, and what became of it. */
export async function statesOf({ owner }: Home, endpointId: string): Promise<Record<string, number>> {
  const rows = await owner.query<{ state: string; count: number }>(
    `select state, count(*)::int as count from webhook_deliveries where endpoint_id = $1 group by state`,
    [endpointId],
  )
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}
