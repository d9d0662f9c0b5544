// Pictures that mean harm. Apart from the others, because making the largest takes a second.
import { BROKEN_PNG, plainPng, pngChunk, pngData, pngHeader, pngOf } from './images.ts'

/** Each of these once ended or hung the service when it was drawn into a document. */
export const HOSTILE_PNGS: readonly (readonly [what: string, image: Buffer])[] = [
  ['data that is no deflate', BROKEN_PNG],
  ['a row filter that does not exist', pngOf(pngHeader(8, 8), pngData(Buffer.alloc(8 * 33, 9)))],
  ['60,000 by 60,000 pixels', pngOf(pngHeader(60_000, 60_000), pngData(Buffer.alloc(9)))],
  ['a part of length -12', pngOf(pngHeader(8, 8), pngChunk('aaaa', Buffer.alloc(0), -12))],
  ['a palette of 2 GB', pngOf(pngHeader(8, 8), pngChunk('PLTE', Buffer.from([1, 2, 3]), 0x7fffffff))],
  ['49 million pixels in 190 KB', plainPng(7_000, 7_000, [0, 0, 0, 0])],
]
