// Whether text in a colour can be read, and the nearest shade that can (WCAG 2.2, 1.4.3).

const NEEDED = 4.5

type Rgb = readonly [number, number, number]

export function readColour(typed: string): string | null {
  const match = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(typed.trim())
  if (match === null) return null
  const digits = match[1] ?? ''
  const six = digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits
  return `#${six.toLowerCase()}`
}

const channels = (colour: string): Rgb => {
  const value = Number.parseInt(colour.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

function luminance(colour: string): number {
  const [red, green, blue] = channels(colour).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function mixed(colour: string, towards: string, share: number): string {
  const [from, to] = [channels(colour), channels(towards)]
  const hex = from.map((channel, index) => Math.round(channel + ((to[index] ?? 0) - channel) * share))
  return `#${hex.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** The colour itself when it can be read on the background, otherwise the nearest shade of it that can. */
export function readableOn(colour: string, background: string): string {
  const towards = luminance(background) > 0.18 ? '#000000' : '#ffffff'
  for (let step = 0; step <= 20; step++) {
    const shade = mixed(colour, towards, step / 20)
    if (contrast(shade, background) >= NEEDED) return shade
  }
  return towards
}

/** Black or white, whichever is read better on the colour. */
export function inkOn(colour: string): string {
  return contrast('#ffffff', colour) >= contrast('#1a1b1e', colour) ? '#ffffff' : '#1a1b1e'
}
