// Pixels in memory: scaled down, and put on white.

export interface Pixels {
  readonly width: number
  readonly height: number
  /** Red, green, blue and opacity, one byte each. */
  readonly data: Uint8Array
}

/** At most this wide and high, and opaque. Each new pixel is the mean of those that it replaces. */
export function fitOnWhite({ width, height, data }: Pixels, longest: number): Pixels {
  const scale = Math.max(1, width / longest, height / longest)
  const small = { width: Math.max(1, Math.round(width / scale)), height: Math.max(1, Math.round(height / scale)) }
  const out = new Uint8Array(small.width * small.height * 4)
  for (let y = 0; y < small.height; y++) {
    const rows = span(y, small.height, height)
    for (let x = 0; x < small.width; x++) {
      const columns = span(x, small.width, width)
      out.set(meanOnWhite(data, width, rows, columns), (y * small.width + x) * 4)
    }
  }
  return { ...small, data: out }
}

interface Span {
  readonly from: number
  readonly to: number
}

function span(at: number, of: number, over: number): Span {
  const from = Math.floor((at * over) / of)
  return { from, to: Math.max(from + 1, Math.floor(((at + 1) * over) / of)) }
}

function meanOnWhite(data: Uint8Array, width: number, rows: Span, columns: Span): [number, number, number, number] {
  let [red, green, blue] = [0, 0, 0]
  for (let y = rows.from; y < rows.to; y++) {
    for (let x = columns.from; x < columns.to; x++) {
      const at = (y * width + x) * 4
      const opaque = data[at + 3]!
      const white = 255 * (255 - opaque)
      red += data[at]! * opaque + white
      green += data[at + 1]! * opaque + white
      blue += data[at + 2]! * opaque + white
    }
  }
  const weight = 255 * (rows.to - rows.from) * (columns.to - columns.from)
  return [Math.round(red / weight), Math.round(green / weight), Math.round(blue / weight), 255]
}
