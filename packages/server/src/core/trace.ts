// The trace that a request belongs to (W3C Trace Context): taken from the caller, told to the bank, written into the log.
// Nothing is kept unless a caller sends one or traces are exported, so others pay nothing for it.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

export interface Trace {
  /** 32 hexadecimal digits, of everything that one request of somebody's led to. */
  readonly traceId: string
  /** 16 hexadecimal digits: our own part of it. */
  readonly spanId: string
  /** The part that ours is a part of; null: the trace begins here. */
  readonly parentId: string | null
  readonly isSampled: boolean
}

const VERSION_0 = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
/** A later version may say more behind these; what it says in them is the same. */
const LATER_VERSION = /^(?!00|ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-[\x21-\x7e]{0,200})?$/
const NOTHING = /^0+$/

/**
 * The trace as the header names it, with a part of our own. Null for whatever is not exactly a trace, also for two
 * headers: it comes from strangers, and goes to the bank and into the log.
 */
export function traceFrom(header: unknown): Trace | null {
  if (typeof header !== 'string' || header.length > 256) return null
  const [, traceId, parentId, flags] = VERSION_0.exec(header) ?? LATER_VERSION.exec(header) ?? []
  if (traceId === undefined || parentId === undefined || flags === undefined) return null
  if (NOTHING.test(traceId) || NOTHING.test(parentId)) return null
  return { traceId, parentId, spanId: newSpanId(), isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function beginTrace(): Trace {
  return { traceId: randomBytes(16).toString('hex'), spanId: newSpanId(), parentId: null, isSampled: true }
}

/** A part of a trace, for what is done within another part. */
export function partOf(trace: Trace): Trace {
  return { ...trace, parentId: trace.spanId, spanId: newSpanId() }
}

/** The header that tells another service of a trace. */
export function traceHeader({ traceId, spanId, isSampled }: Trace): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}

function newSpanId(): string {
  return randomBytes(8).toString('hex')
}

const current = new AsyncLocalStorage<Trace>()

/** Does the work as a part of the trace, and all that follows from it. */
export function within<T>(trace: Trace, work: () => T): T {
  return current.run(trace, work)
}

export function currentTrace(): Trace | null {
  return current.getStore() ?? null
}
