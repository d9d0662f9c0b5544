// Finished parts of traces, sent to a collector as OTLP over HTTP in JSON. What cannot be sent is counted and forgotten:
// watching the service must never slow it down or fill its memory.
import { Agent } from 'undici'

import type { Trace } from './core/trace.ts'
import { SERVICE_VERSION } from './core/service-version.ts'

/** Something that took time, as a part of a trace. Attributes are the log's: never a header, a body or a raw address. */
export interface Span {
  readonly trace: Trace
  readonly kind: 'server' | 'client'
  readonly name: string
  readonly startedAt: Date
  readonly seconds: number
  readonly isFailed: boolean
  readonly attributes: Readonly<Record<string, string | number>>
}

export interface TraceExporter {
  readonly note: (span: Span) => void
  /** Sends what is left, as far as the collector takes it in time. */
  readonly close: () => Promise<void>
}

interface ExporterOptions {
  /** Such as http://collector:4318, without the signal's own path. */
  readonly endpoint: string
  readonly role: string
  readonly everyMs?: number
  /** How many were not sent, and why. */
  readonly onDropped: (spans: number, error: unknown) => void
}

const SEND_EVERY_MS = 5_000
const LARGEST_BATCH = 512
/** At a thousand requests per second, what two seconds bring; a collector that is away for longer loses the rest. */
const MOST_WAITING = 4_096
/** Twice this is what a stop may wait for. */
const LONGEST_SENDING_MS = 2_000
const KINDS = { server: 2, client: 3 } as const

export function createTraceExporter(options: ExporterOptions): TraceExporter {
  const { endpoint, onDropped } = options
  const agent = new Agent()
  const waiting: Span[] = []
  let tooMany = 0
  let sending: Promise<void> | null = null

  const sendAll = async () => {
    if (tooMany > 0) onDropped(tooMany, new Error('More came than could be sent.'))
    tooMany = 0
    while (waiting.length > 0) {
      const batch = waiting.splice(0, LARGEST_BATCH)
      try {
        await send(agent, new URL(`${endpoint}/v1/traces`), JSON.stringify(traceData(batch, options.role)))
      } catch (error) {
        onDropped(batch.length + waiting.length, error)
        waiting.length = 0
      }
    }
  }
  const flush = () => (sending ??= sendAll().finally(() => (sending = null)))
  const timer = setInterval(() => void flush(), options.everyMs ?? SEND_EVERY_MS)
  timer.unref()
  return {
    note: (span) => {
      if (!span.trace.isSampled) return
      if (waiting.length >= MOST_WAITING) tooMany += 1
      else waiting.push(span)
      if (waiting.length === LARGEST_BATCH) void flush()
    },
    close: async () => {
      clearInterval(timer)
      await sending
      await flush()
    },
  }
}

async function send(agent: Agent, { origin, pathname, search }: URL, body: string): Promise<void> {
  const reply = await agent.request({
    origin,
    path: `${pathname}${search}`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(LONGEST_SENDING_MS),
  })
  // It says nothing that we need, and must be read all the same for the connection to be used again.
  await reply.body.dump()
  if (reply.statusCode >= 300) throw new Error(`The collector answered ${reply.statusCode}.`)
}

/** OTLP's own shape: numbers of 64 bits are text, and ids hexadecimal. */
function traceData(spans: readonly Span[], role: string): object {
  const resource = attributes({ 'service.name': 'kestrel', 'service.version': SERVICE_VERSION, 'kestrel.role': role })
  const scope = { name: 'kestrel', version: SERVICE_VERSION }
  return {
    resourceSpans: [{ resource: { attributes: resource }, scopeSpans: [{ scope, spans: spans.map(spanData) }] }],
  }
}

function spanData({ trace, kind, name, startedAt, seconds, isFailed, attributes: more }: Span): object {
  const startNanos = BigInt(startedAt.getTime()) * 1_000_000n
  const endNanos = startNanos + BigInt(Math.round(seconds * 1e9))
  return {
    traceId: trace.traceId,
    spanId: trace.spanId,
    ...(trace.parentId === null ? {} : { parentSpanId: trace.parentId }),
    flags: 1,
    name,
    kind: KINDS[kind],
    startTimeUnixNano: String(startNanos),
    endTimeUnixNano: String(endNanos),
    attributes: attributes(more),
    status: isFailed ? { code: 2 } : {},
  }
}

function attributes(given: Readonly<Record<string, string | number>>): object[] {
  return Object.entries(given).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }))
}
