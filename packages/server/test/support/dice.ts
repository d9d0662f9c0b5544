// Chance that can be had again: the same seed draws the same.
export interface Dice {
  /** A whole number from 0 to below `below`. */
  readonly draw: (below: number) => number
  readonly pick: <T>(from: readonly T[]) => T
}

export function createDice(seed: number): Dice {
  let state = seed >>> 0
  const draw = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  return { draw, pick: (from) => from[draw(from.length)]! }
}
