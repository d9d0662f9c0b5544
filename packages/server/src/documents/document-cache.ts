// Recently drawn documents, by their facts: the same facts give the same bytes, so a document is drawn again only when
// something about it has changed. It keeps as many as fit, the last used ones first.
import { createHash } from 'node:crypto'
import { serialize } from 'node:v8'

export interface DocumentCache {
  /** The document of these facts, drawn now unless it is cached or just being drawn. */
  readonly of: (facts: unknown, draw: () => Promise<Buffer>) => Promise<Buffer>
}

export function createDocumentCache(mostBytes: number): DocumentCache {
  const drawn = new Map<string, Buffer>()
  const underWay = new Map<string, Promise<Buffer>>()
  let bytes = 0

  const keep = (key: string, document: Buffer): void => {
    drawn.set(key, document)
    bytes += document.length
    for (const [oldest, { length }] of drawn) {
      if (bytes <= mostBytes) return
      drawn.delete(oldest)
      bytes -= length
    }
  }
  const drawOnce = async (key: string, draw: () => Promise<Buffer>): Promise<Buffer> => {
    try {
      const document = await draw()
      keep(key, document)
      return document
    } finally {
      underWay.delete(key)
    }
  }
  return {
    of: (facts, draw) => {
      const key = createHash('sha256').update(serialize(facts)).digest('base64')
      const there = drawn.get(key)
      if (there !== undefined) {
        // Moved to the end: the last used is the last to go.
        drawn.delete(key)
        drawn.set(key, there)
        return Promise.resolve(there)
      }
      const started = underWay.get(key) ?? drawOnce(key, draw)
      underWay.set(key, started)
      return started
    },
  }
}
