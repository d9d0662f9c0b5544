// Makes an event happen in sandbox, by doing what it tells of: a real payout that really ends so.
import { randomUUID } from 'node:crypto'

import type { Event, Kestrel, SimulateRequest } from '@kestrel/sdk'

import { amountOf, countOf } from '../amount.ts'
import type { Context } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'
import { newestEvent } from '../listening/events-after.ts'
import { SAMPLE } from '../recipient.ts'
import { sandboxOnly } from '../settings.ts'
import { pause } from '../watch.ts'

const LOOK_AGAIN_MS = 250

interface Story {
  readonly reference: string
  readonly outcome?: SimulateRequest['outcome']
}

const HELD = 'sandbox:hold'

const STORIES: Readonly<Record<string, Story>> = {
  'payout.created': { reference: 'Trigger' },
  'payout.pending': { reference: 'sandbox:late' },
  'payout.processing': { reference: 'Trigger' },
  'payout.completed': { reference: HELD, outcome: 'settle' },
  'payout.failed': { reference: HELD, outcome: 'fail' },
  'payout.cancelled': { reference: HELD, outcome: 'cancel' },
  'payout.returned': { reference: HELD, outcome: 'return' },
  'payout.refunded': { reference: HELD, outcome: 'return' },
}

export async function run(context: Context): Promise<void> {
  const { out, around } = context
  sandboxOnly(context.settings(), 'trigger')
  const [type = ''] = context.args
  const timeoutMs = countOf(context.option('timeout'), { name: 'timeout', usual: 60, most: 3_600 }) * 1_000
  const kestrel = await context.client()
  const { signal } = around
  const before = await newestEvent(kestrel, signal)
  const subject = await makeItHappen(context, kestrel, type)
  const event = await waitFor(kestrel, { type, subject, before, timeoutMs, signal })
  out.record(event, [
    ['Event', event.id],
    ['Type', event.type],
    ['Subject', `${event.subject.object} ${event.subject.id}`],
    ['Occurred', event.occurred_at],
  ])
}

/** The id of the payout that it is about, or null for money that comes in. */
async function makeItHappen(context: Context, kestrel: Kestrel, type: string): Promise<string | null> {
  const { signal } = context.around
  const amount = amountOf(context.option('amount') ?? '25.00', '--amount')
  const story = STORIES[type]
  if (story === undefined) {
    await kestrel.sandbox.topUp({ usdc: amount, source: 'bank' }, { signal })
    return null
  }
  // Test money, and each call is meant to be a new payout: here a key by chance is right.
  const idempotencyKey = context.option('idempotency-key') ?? `trigger-${randomUUID()}`
  const body = { amount_gbp: amount, reference: story.reference, recipient: SAMPLE }
  const { id } = await kestrel.payouts.create(body, { idempotencyKey, signal })
  const { outcome } = story
  const reason = context.option('reason') as SimulateRequest['reason']
  if (outcome !== undefined) {
    await kestrel.sandbox.simulate(id, { outcome, ...(reason === undefined ? {} : { reason }) }, { signal })
  }
  return id
}

interface Wanted {
  readonly type: string
  readonly subject: string | null
  readonly before: string | null
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

async function waitFor(kestrel: Kestrel, { type, subject, before, timeoutMs, signal }: Wanted): Promise<Event> {
  const deadline = Date.now() + timeoutMs
  const query = { ...(before === null ? {} : { after: before }), ...(subject === null ? {} : { subject }) }
  for (;;) {
    const events = await kestrel.events.list(query, { signal }).first(200)
    const found = events.find((event) => event.type === type)
    if (found !== undefined) return found
    if (Date.now() > deadline) throw notYet(type, subject)
    await pause(LOOK_AGAIN_MS, signal)
    signal.throwIfAborted()
  }
}

function notYet(type: string, subject: string | null): Failure {
  return new Failure(`There is no ${type} yet${subject === null ? '' : ` of ${subject}`}. It may still come.`, {
    exit: EXIT.unknown,
    code: 'not_yet',
    hints: [`kestrel-pay events list${subject === null ? ` --type ${type}` : ` --subject ${subject}`}`],
  })
}
