// Pictures of every kind are drawn anew, and bytes that are none are refused in words, whatever they are.
import { gzipSync } from 'node:zlib'

import fc from 'fast-check'
import jpeg from 'jpeg-js'
import { PNG as Png } from 'pngjs'
import { describe, expect, it } from 'vitest'

import { PictureProblem } from '../../src/documents/pictures/picture-problem.ts'
import { type Picture, remakePicture } from '../../src/documents/pictures/remake-picture.ts'
import { HOSTILE_PNGS } from '../support/hostile-images.ts'
import { JPEG, PNG, plainPng, pngChunk, pngData, pngHeader, pngOf } from '../support/images.ts'

const remake = (image: Buffer, type: Picture['type'] = 'image/png') => remakePicture({ image, type })

/** The first pixel, and the size. */
async function seen(image: Buffer, type?: Picture['type']): Promise<string> {
  const remade = await remake(image, type)
  const { width, height, data } = remade.type === 'image/png' ? Png.sync.read(remade.image) : jpeg.decode(remade.image)
  return `${width}x${height} ${[...data.subarray(0, 4)].join(' ')}`
}

describe('a picture that is drawn anew', () => {
  it('is an opaque PNG of three essential parts', async () => {
    const { image, type } = await remake(
      pngOf(pngHeader(2, 2), pngChunk('tEXt', Buffer.from('canary')), pngData(Buffer.alloc(18))),
    )
    expect(type).toBe('image/png')
    expect(image.includes('canary')).toBe(false)
    // The colour type in the header: three channels, none of them alpha.
    expect(image[25]).toBe(2)
  })

  it.each([
    ['transparent', plainPng(3, 2, [200, 0, 0, 0]), '3x2 255 255 255 255'],
    ['half transparent', plainPng(3, 2, [255, 0, 0, 128]), '3x2 255 127 127 255'],
    ['opaque', plainPng(3, 2, [43, 75, 216, 255]), '3x2 43 75 216 255'],
    [
      'grey of one bit',
      pngOf(pngHeader(9, 1, { depth: 1, color: 0 }), pngData(Buffer.from([0, 255, 128]))),
      '9x1 255 255 255 255',
    ],
    [
      'of a palette',
      pngOf(pngHeader(1, 1, { color: 3 }), pngChunk('PLTE', Buffer.from([1, 2, 3])), pngData(Buffer.alloc(2))),
      '1x1 1 2 3 255',
    ],
    [
      'interlaced',
      pngOf(
        pngHeader(1, 3, { color: 2, interlaced: true }),
        pngData(Buffer.from([0, 9, 8, 7, 0, 1, 1, 1, 0, 2, 2, 2])),
      ),
      '1x3 9 8 7 255',
    ],
    [
      'of sixteen bits',
      pngOf(pngHeader(1, 1, { color: 2, depth: 16 }), pngData(Buffer.from([0, 255, 255, 0, 0, 128, 0]))),
      '1x1 255 0 128 255',
    ],
    ['large', plainPng(2_000, 1_000), '640x320 43 75 216 255'],
    ['long and thin', plainPng(2_000, 1), '640x1 43 75 216 255'],
  ])('looks as it did: %s', async (_what, image, expected) => {
    expect(await seen(image)).toBe(expected)
  })

  it('looks as it did: a JPEG', async () => {
    expect(await seen(JPEG, 'image/jpeg')).toMatch(/^8x4 4\d 7\d 21\d 255$/)
  })

  it('is a JPEG when it has the detail of a photograph', async () => {
    let state = 7
    const noise = Buffer.alloc(500 * 500 * 4).map(
      () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) >> 16,
    )
    const { data } = jpeg.encode({ width: 500, height: 500, data: noise }, 30)
    const { image, type } = await remake(Buffer.from(data), 'image/jpeg')
    expect(type).toBe('image/jpeg')
    expect(image.length).toBeLessThanOrEqual(204_800)
  })

  it('can be as large as is allowed, as a JPEG too', async () => {
    const { data } = jpeg.encode({ width: 2_000, height: 2_000, data: Buffer.alloc(16_000_000, 90) }, 50)
    expect(await seen(Buffer.from(data), 'image/jpeg')).toMatch(/^640x640 /)
  })
})

describe('a picture that is refused', () => {
  const jpegWith = (change: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(JPEG)
    change(bytes)
    return bytes
  }
  const frame = JPEG.indexOf(Buffer.from([0xff, 0xc0]))
  const scan = JPEG.indexOf(Buffer.from([0xff, 0xda]))
  const aScan = JPEG.subarray(scan, JPEG.length - 2)

  it.each([
    ...HOSTILE_PNGS.map(([what, image]) => [what, image, 'image/png'] as const),
    [
      'a bomb behind an interlaced header',
      pngOf(pngHeader(8, 8, { interlaced: true }), pngData(Buffer.alloc(50_000_000))),
      'image/png',
    ],
    ['a PNG cut short', plainPng(8, 8).subarray(0, 60), 'image/png'],
    ['a PNG without data', pngOf(pngHeader(8, 8)), 'image/png'],
    ['a PNG of nothing', pngOf(pngHeader(0, 8), pngData(Buffer.alloc(8))), 'image/png'],
    ['a PNG with two headers', pngOf(pngHeader(8, 8), pngHeader(8, 8), pngData(Buffer.alloc(264))), 'image/png'],
    [
      'a PNG with a palette and no colours',
      pngOf(pngHeader(1, 1, { color: 3 }), pngData(Buffer.alloc(2))),
      'image/png',
    ],
    [
      'gzip under the name of deflate',
      pngOf(pngHeader(8, 8), pngChunk('IDAT', gzipSync(Buffer.alloc(264)))),
      'image/png',
    ],
    ['a JPEG of 65,535 by 65,535', jpegWith((bytes) => bytes.fill(255, frame + 5, frame + 9)), 'image/jpeg'],
    ['a JPEG whose parts are longer than it', jpegWith((bytes) => bytes.fill(255, 4, 6)), 'image/jpeg'],
    ['a JPEG whose parts have no length', jpegWith((bytes) => bytes.fill(0, 4, 6)), 'image/jpeg'],
    ['a JPEG cut short', JPEG.subarray(0, scan + 20), 'image/jpeg'],
    [
      'a JPEG of nine thousand passes',
      Buffer.concat([JPEG.subarray(0, -2), ...Array.from({ length: 9_000 }, () => aScan), JPEG.subarray(-2)]),
      'image/jpeg',
    ],
    ['a JPEG that says PNG', JPEG, 'image/png'],
    ['nothing at all', Buffer.alloc(0), 'image/jpeg'],
  ] as const)('is %s', async (_what, image, type) => {
    const error: unknown = await remake(image, type).then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(PictureProblem)
    expect((error as Error).message).toMatch(/^The .*\. (Save|Send) .*\.$/)
  })
})

describe('bytes that were changed at random', () => {
  const mutated = (image: Buffer) =>
    fc
      .array(fc.record({ at: fc.nat(image.length - 1), byte: fc.nat(255) }), { minLength: 1, maxLength: 8 })
      .chain((changes) =>
        fc.record({ changes: fc.constant(changes), keep: fc.integer({ min: 1, max: image.length * 4 }) }),
      )
      .map(({ changes, keep }) => {
        const bytes = Buffer.from(image)
        for (const { at, byte } of changes) bytes[at] = byte
        return bytes.subarray(0, Math.min(keep, bytes.length))
      })

  it.each([
    ['image/png', PNG],
    ['image/png', plainPng(32, 32)],
    [
      'image/png',
      pngOf(
        pngHeader(8, 8, { color: 3 }),
        pngChunk('PLTE', Buffer.alloc(768, 7)),
        pngChunk('tRNS', Buffer.alloc(256, 9)),
        pngData(Buffer.alloc(72)),
      ),
    ],
    ['image/jpeg', JPEG],
  ] as const)('become a %s or a sentence', async (type, image) => {
    await fc.assert(
      fc.asyncProperty(mutated(image), async (bytes) => {
        const made = await remake(bytes, type).catch((error: unknown) => error)
        if (made instanceof PictureProblem) return
        expect(made).toMatchObject({ type: expect.stringMatching(/^image\/(png|jpeg)$/) })
      }),
      { seed: 20_261_115, numRuns: 1_500 },
    )
  })
})
