// Checks the parts of a PNG before any library sees them: every length is inside the file, every number is a valid one,
// and the data unpacks to exactly what the header says. What a picture does not need is dropped.
import { inflateSync } from 'node:zlib'

import { PictureProblem, refuseUnlessFits } from './picture-problem.ts'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** Length, type and checksum, around the data. */
const FRAME = 12
const HIGHEST_FILTER = 4
/** Bits that a pixel may have per channel, by colour type; and how many channels it has. */
const COLOR_TYPES: Readonly<Record<number, { depths: readonly number[]; channels: number }>> = {
  0: { depths: [1, 2, 4, 8, 16], channels: 1 },
  2: { depths: [8, 16], channels: 3 },
  3: { depths: [1, 2, 4, 8], channels: 1 },
  4: { depths: [8, 16], channels: 2 },
  6: { depths: [8, 16], channels: 4 },
}
/** Where each of the seven passes of an interlaced picture begins, and how far apart its pixels are. */
const PASSES = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
]

interface Part {
  readonly type: string
  readonly data: Buffer
  /** With its frame. */
  readonly whole: Buffer
}

export const isPng = (image: Buffer) => image.subarray(0, SIGNATURE.length).equals(SIGNATURE)

/** The same picture, from only the parts that make it up. */
export function essentialPng(image: Buffer): Buffer {
  const parts = partsOf(image)
  const [header] = parts
  if (header?.type !== 'IHDR' || header.data.length !== 13) throw damaged('it does not begin with its size')
  const of = (type: string) => parts.filter((part) => part.type === type)
  if (of('IHDR').length > 1 || of('PLTE').length > 1 || of('tRNS').length > 1) throw damaged('a part of it comes twice')
  refuseBadPalette(of('PLTE')[0], of('tRNS')[0], header.data[9])
  refuseOtherData(header.data, Buffer.concat(of('IDAT').map(({ data }) => data)))
  const essential = [...of('IHDR'), ...of('PLTE'), ...of('tRNS'), ...of('IDAT'), ...of('IEND')]
  return Buffer.concat([SIGNATURE, ...essential.map(({ whole }) => whole)])
}

function partsOf(image: Buffer): Part[] {
  const parts: Part[] = []
  for (let at = SIGNATURE.length; parts.at(-1)?.type !== 'IEND';) {
    const room = image.length - at - FRAME
    if (room < 0) throw damaged('it ends too early')
    const length = image.readUInt32BE(at)
    if (length > room) throw damaged('a part of it says that it is longer than the file')
    const type = image.toString('latin1', at + 4, at + 8)
    parts.push({
      type,
      data: image.subarray(at + 8, at + 8 + length),
      whole: image.subarray(at, at + FRAME + length),
    })
    at += FRAME + length
  }
  return parts
}

function refuseBadPalette(palette: Part | undefined, transparency: Part | undefined, colorType: number | undefined) {
  const colors = (palette?.data.length ?? 0) / 3
  if (!Number.isInteger(colors) || colors > 256) throw damaged('its palette has no whole number of colours up to 256')
  if (colorType === 3 && colors === 0) throw damaged('it has no palette')
  if ((transparency?.data.length ?? 0) > 256) throw damaged('it says more about transparency than there are colours')
}

function refuseOtherData(header: Buffer, packed: Buffer): void {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth = 0, colorType = 0, compression, filter, interlace = 0] = header.subarray(8)
  refuseUnlessFits({ width, height })
  const kind = COLOR_TYPES[colorType]
  if (kind === undefined || !kind.depths.includes(depth)) throw damaged('there is no such kind of colours')
  if (compression !== 0 || filter !== 0 || interlace > 1) throw damaged('it is packed in a way that does not exist')
  const bits = depth * kind.channels
  const whole = [{ width, height }]
  const areas = (interlace === 1 ? areasOfPasses(width, height) : whole).map((area) => ({
    rows: area.height,
    bytes: 1 + Math.ceil((area.width * bits) / 8),
  }))
  const expected = areas.reduce((sum, { rows, bytes }) => sum + rows * bytes, 0)
  const unpacked = unpack(packed, expected)
  let at = 0
  for (const { rows, bytes } of areas) {
    for (let row = 0; row < rows; row++, at += bytes) {
      if (unpacked[at]! > HIGHEST_FILTER) throw damaged('a row of it is filtered in a way that does not exist')
    }
  }
}

function areasOfPasses(width: number, height: number): { width: number; height: number }[] {
  return PASSES.map(({ x, y, stepX, stepY }) => ({
    width: Math.ceil((width - x) / stepX),
    height: Math.ceil((height - y) / stepY),
  })).filter((area) => area.width > 0 && area.height > 0)
}

function unpack(packed: Buffer, expected: number): Buffer {
  let unpacked: Buffer
  try {
    unpacked = inflateSync(packed, { maxOutputLength: expected })
  } catch {
    throw damaged('its data cannot be unpacked to the size that it names')
  }
  if (unpacked.length !== expected) throw damaged('its data is not as long as its size says')
  return unpacked
}

function damaged(what: string): PictureProblem {
  return new PictureProblem(`The PNG is damaged: ${what}. Save the picture again and send that.`)
}
