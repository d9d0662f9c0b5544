// Checks the parts of a JPEG before any library sees them: every length is inside the file, the size is one that we
// accept, and there are no more scans than any program writes. Comments, thumbnails and locations are dropped.
import { PictureProblem, refuseUnlessFits } from './picture-problem.ts'

const START = 0xd8
const END = 0xd9
const SCAN = 0xda
const RESTARTS = { first: 0xd0, last: 0xd7 }
/** Baseline, extended and progressive: what is in use. */
const FRAMES = [0xc0, 0xc1, 0xc2]
const ADOBE = 0xee
/** Huffman tables, quantisation tables, restart interval. */
const TABLES = [0xc4, 0xdb, 0xdd]
/** A progressive picture has about ten; each costs as much as the whole picture. */
const MOST_SCANS = 64
/** The most pixels that share a colour, in each direction. */
const MOST_SAMPLES = 4

interface Part {
  readonly marker: number
  /** With its marker; for a scan, with its data. */
  readonly whole: Buffer
  readonly data: Buffer
}

export const isJpeg = (image: Buffer) => image.subarray(0, 3).equals(Buffer.from([0xff, START, 0xff]))

/** The same picture, from only the parts that make it up. */
export function essentialJpeg(image: Buffer): Buffer {
  const parts = partsOf(image)
  const frames = parts.filter(({ marker }) => FRAMES.includes(marker))
  const [frame] = frames
  if (frame === undefined || frames.length > 1) throw damaged('it does not say its size once, in a way that is in use')
  refuseBadFrame(frame.data)
  const scans = parts.filter(({ marker }) => marker === SCAN).length
  if (scans === 0) throw damaged('there is no picture in it')
  if (scans > MOST_SCANS) {
    throw new PictureProblem(`The JPEG has ${scans} passes over the picture. Save it again with at most ${MOST_SCANS}.`)
  }
  const kept = parts.filter(({ marker }) => [...FRAMES, ...TABLES, SCAN, ADOBE].includes(marker))
  return Buffer.concat([Buffer.from([0xff, START]), ...kept.map(({ whole }) => whole), Buffer.from([0xff, END])])
}

function refuseBadFrame(data: Buffer): void {
  const components = data[5] ?? 0
  if (data.length !== 6 + 3 * components || ![1, 3, 4].includes(components)) throw damaged('its size cannot be read')
  if (data[0] !== 8) throw new PictureProblem('The JPEG has more than 8 bits per colour. Save it with 8.')
  refuseUnlessFits({ height: data.readUInt16BE(1), width: data.readUInt16BE(3) })
  for (let component = 0; component < components; component++) {
    const samples = data[7 + 3 * component] ?? 0
    if ([samples >> 4, samples & 15].some((each) => each < 1 || each > MOST_SAMPLES)) {
      throw damaged('its colours are spread in a way that does not exist')
    }
  }
}

function partsOf(image: Buffer): Part[] {
  const parts: Part[] = []
  for (let at = 2; ;) {
    if (at + 2 > image.length) throw damaged('it ends too early')
    if (image[at] !== 0xff) throw damaged('between two parts of it there is something else')
    const marker = image[at + 1]!
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === END) return parts
    if (at + 4 > image.length) throw damaged('it ends too early')
    const length = image.readUInt16BE(at + 2)
    if (length < 2 || at + 2 + length > image.length) throw damaged('a part of it is longer than the file')
    const end = marker === SCAN ? endOfScan(image, at + 2 + length) : at + 2 + length
    parts.push({ marker, whole: image.subarray(at, end), data: image.subarray(at + 4, at + 2 + length) })
    at = end
  }
}

/** The position of the next marker. Inside a scan 0xff is followed by zero, or by a restart marker. */
function endOfScan(image: Buffer, from: number): number {
  for (let at = image.indexOf(0xff, from); at !== -1; at = image.indexOf(0xff, at + 1)) {
    const next = image[at + 1]
    if (next === undefined) break
    const goesOn = next === 0 || next === 0xff || (next >= RESTARTS.first && next <= RESTARTS.last)
    if (!goesOn) return at
  }
  throw damaged('it ends too early')
}

function damaged(what: string): PictureProblem {
  return new PictureProblem(`The JPEG is damaged: ${what}. Save the picture again and send that.`)
}
