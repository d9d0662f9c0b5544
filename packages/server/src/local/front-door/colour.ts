/** Wraps text in a terminal colour, or leaves it alone. */
export interface Paint {
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly red: (text: string) => string
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
}

const plain = (text: string): string => text

export const noColour: Paint = {
  green: plain,
  yellow: plain,
  red: plain,
  bold: plain,
  dim: plain,
}

const ansi: Paint = {
  green: wrap(32, 39),
  yellow: wrap(33, 39),
  red: wrap(31, 39),
  bold: wrap(1, 22),
  dim: wrap(2, 22),
}

/** Colours only for people: on a terminal, and unless NO_COLOR says otherwise. */
export function paintFor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Paint {
  return stream.isTTY === true && !env['NO_COLOR'] ? ansi : noColour
}

function wrap(on: number, off: number): (text: string) => string {
  return (text) => `\u001b[${on}m${text}\u001b[${off}m`
}
