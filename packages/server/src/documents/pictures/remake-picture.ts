// Turns an uploaded picture into one that we drew: its pixels are read and written anew, and none of its bytes are
// kept. Runs in a thread of its own, because reading is where pictures do harm.
import { essentialJpeg, isJpeg } from './jpeg-parts.ts'
import { PictureProblem } from './picture-problem.ts'
import { type Pixels, fitOnWhite } from './pixels.ts'
import { essentialPng, isPng } from './png-parts.ts'

export interface Picture {
  readonly image: Buffer
  readonly type: 'image/png' | 'image/jpeg'
}

/** A logo is at most five centimetres wide on paper: this is 300 dots per inch. */
const LONGEST_SIDE = 640
/** The largest picture that the database stores. */
const LARGEST_BYTES = 200 * 1024
const JPEG_QUALITIES = [90, 75, 50]
const MEGABYTES_FOR_A_JPEG = 384

/** Opaque, so that a document can hold it as it is. PNG where that is small enough, JPEG otherwise, for photographs. */
export async function remakePicture(given: { image: Buffer; type: Picture['type'] }): Promise<Picture> {
  const pixels = fitOnWhite(await readPixels(given), LONGEST_SIDE)
  const png = await asPng(pixels)
  if (png.length <= LARGEST_BYTES) return { image: png, type: 'image/png' }
  for (const quality of JPEG_QUALITIES) {
    const jpeg = await asJpeg(pixels, quality)
    if (jpeg.length <= LARGEST_BYTES) return { image: jpeg, type: 'image/jpeg' }
  }
  throw new PictureProblem('The picture has more detail than a logo can have. Send a simpler or smaller one.')
}

async function readPixels({ image, type }: { image: Buffer; type: Picture['type'] }): Promise<Pixels> {
  const isWhatItSays = type === 'image/png' ? isPng(image) : isJpeg(image)
  if (!isWhatItSays) {
    throw new PictureProblem(`The body does not begin like ${type}. Send the bytes of the image as they are.`)
  }
  return type === 'image/png' ? readPng(essentialPng(image)) : readJpeg(essentialJpeg(image))
}

async function readPng(image: Buffer): Promise<Pixels> {
  const { PNG } = await import('pngjs')
  try {
    return PNG.sync.read(image)
  } catch {
    throw new PictureProblem('The PNG cannot be read. Save the picture again and send that.')
  }
}

async function readJpeg(image: Buffer): Promise<Pixels> {
  const { default: jpeg } = await import('jpeg-js')
  try {
    return jpeg.decode(image, { useTArray: true, formatAsRGBA: true, maxMemoryUsageInMB: MEGABYTES_FOR_A_JPEG })
  } catch {
    throw new PictureProblem('The JPEG cannot be read. Save the picture again and send that.')
  }
}

async function asPng({ width, height, data }: Pixels): Promise<Buffer> {
  const { PNG } = await import('pngjs')
  const png = new PNG({ width, height })
  png.data = Buffer.from(data)
  return PNG.sync.write(png, { colorType: 2 })
}

async function asJpeg({ width, height, data }: Pixels, quality: number): Promise<Buffer> {
  const { default: jpeg } = await import('jpeg-js')
  return Buffer.from(jpeg.encode({ width, height, data: Buffer.from(data) }, quality).data)
}
