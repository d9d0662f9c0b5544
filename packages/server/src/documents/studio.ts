// Draws documents and draws pictures anew: outside the thread that answers requests, within limits, and each kind apart
// from the other.
import { availableParallelism } from 'node:os'

import { createDocumentCache } from './document-cache.ts'
import type { InvoiceFacts } from './invoice-facts.ts'
import { PictureProblem } from './pictures/picture-problem.ts'
import type { Picture } from './pictures/remake-picture.ts'
import type { ReceiptFacts } from './receipt-pdf.ts'
import { ThreadEnded, createThreadPool } from './thread-pool.ts'

export interface Studio {
  /** Partners take turns, so the first argument is always the partner. */
  readonly invoice: (partnerId: string, facts: InvoiceFacts) => Promise<Buffer>
  readonly receipt: (partnerId: string, facts: ReceiptFacts) => Promise<Buffer>
  /** Throws PictureProblem when we do not accept the picture. */
  readonly picture: (partnerId: string, given: Picture) => Promise<Picture>
  readonly close: () => Promise<void>
}

/** A thread's job. */
export type StudioJob =
  | { readonly kind: 'invoice'; readonly facts: InvoiceFacts }
  | { readonly kind: 'receipt'; readonly facts: ReceiptFacts }
  | { readonly kind: 'picture'; readonly image: Uint8Array; readonly type: Picture['type'] }

/** Its result: the bytes, or why there are none. */
export type StudioResult =
  | { readonly kind: 'made'; readonly bytes: Uint8Array; readonly type: string }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'failed'; readonly error: Error }

/** A normal picture takes a tenth of a second; a busy machine may need ten times as long. */
const PICTURE_MS = 10_000
const PICTURE_MEMORY_MB = 512
const MOST_PICTURES_WAITING = 20
const MOST_PICTURES_WAITING_EACH = 2
/** A page takes a twentieth of a second, and a thread's first one half a second more, for its fonts. */
const DOCUMENT_MS = 20_000
const DOCUMENT_MEMORY_MB = 256
const MOST_DOCUMENTS_WAITING = 100
/** Twice what one partner may ask for at once, and the worker's mails about its invoices. */
const MOST_DOCUMENTS_WAITING_EACH = 8
/** One core is left for answering requests; more than a few threads would only hold fonts in memory. */
const DOCUMENT_THREADS = Math.min(3, Math.max(1, availableParallelism() - 1))
/** About 2,000 receipts. */
const CACHE_BYTES = 32 * 1024 * 1024

export function createStudio(entry: string): Studio {
  const pictures = createThreadPool<StudioJob, StudioResult>({
    entry,
    threads: 1,
    longestMs: PICTURE_MS,
    memoryMb: PICTURE_MEMORY_MB,
    mostWaiting: MOST_PICTURES_WAITING,
    mostWaitingEach: MOST_PICTURES_WAITING_EACH,
  })
  const documents = createThreadPool<StudioJob, StudioResult>({
    entry,
    threads: DOCUMENT_THREADS,
    longestMs: DOCUMENT_MS,
    memoryMb: DOCUMENT_MEMORY_MB,
    mostWaiting: MOST_DOCUMENTS_WAITING,
    mostWaitingEach: MOST_DOCUMENTS_WAITING_EACH,
  })
  const cache = createDocumentCache(CACHE_BYTES)
  const draw = (partnerId: string, job: StudioJob) =>
    cache.of([partnerId, job], async () => bytesOf(await documents.run(partnerId, job)).bytes)
  return {
    invoice: (partnerId, facts) => draw(partnerId, { kind: 'invoice', facts }),
    receipt: (partnerId, facts) => draw(partnerId, { kind: 'receipt', facts }),
    picture: async (partnerId, { image, type }) => {
      const made = bytesOf(await pictures.run(partnerId, { kind: 'picture', image, type }).catch(asProblem))
      return { image: made.bytes, type: made.type === 'image/jpeg' ? 'image/jpeg' : 'image/png' }
    },
    close: async () => {
      await Promise.all([pictures.close(), documents.close()])
    },
  }
}

function bytesOf(result: StudioResult): { bytes: Buffer; type: string } {
  if (result.kind === 'refused') throw new PictureProblem(result.why)
  if (result.kind === 'failed') throw result.error
  return { bytes: Buffer.from(result.bytes), type: result.type }
}

/** A picture that ended its thread counts as one that cannot be shown. */
function asProblem(error: unknown): never {
  if (!(error instanceof ThreadEnded)) throw error
  throw new PictureProblem('The picture takes too long or too much memory to read. Send a simpler or smaller one.')
}
