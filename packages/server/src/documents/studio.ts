// Where pictures are made anew: apart from the thread that answers requests.

import { PictureProblem } from './pictures/picture-problem.ts'
import type { Picture } from './pictures/remake-picture.ts'
import { ThreadEnded, createThreadPool } from './thread-pool.ts'

export interface Studio {
  /** Throws PictureProblem when it is none that we take. */
  readonly picture: (given: Picture) => Promise<Picture>
  readonly close: () => Promise<void>
}

/** What a thread is asked for. */
export type StudioJob = { readonly kind: 'picture'; readonly image: Uint8Array; readonly type: Picture['type'] }

/** What it answers: the bytes, or why there are none. */
export type StudioResult =
  | { readonly kind: 'made'; readonly bytes: Uint8Array; readonly type: string }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'failed'; readonly error: Error }

/** An honest picture takes a tenth of a second; a machine that is busy may need ten times as long. */
const PICTURE_MS = 10_000
const PICTURE_MEMORY_MB = 512
const MOST_PICTURES_WAITING = 20

export function createStudio(entry: string): Studio {
  const pictures = createThreadPool<StudioJob, StudioResult>({
    entry,
    threads: 1,
    longestMs: PICTURE_MS,
    memoryMb: PICTURE_MEMORY_MB,
    mostWaiting: MOST_PICTURES_WAITING,
  })
  return {
    picture: async ({ image, type }) => {
      const result = await pictures.run({ kind: 'picture', image, type }).catch(asProblem)
      if (result.kind === 'refused') throw new PictureProblem(result.why)
      if (result.kind === 'failed') throw result.error
      return { image: Buffer.from(result.bytes), type: result.type === 'image/jpeg' ? 'image/jpeg' : 'image/png' }
    },
    close: () => pictures.close(),
  }
}

/** A picture that ended its thread is one that nobody can show. */
function asProblem(error: unknown): never {
  if (!(error instanceof ThreadEnded)) throw error
  throw new PictureProblem('The picture takes too long or too much memory to read. Send a simpler or smaller one.')
}
