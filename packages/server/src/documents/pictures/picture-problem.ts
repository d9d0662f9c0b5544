/** Why a picture is refused, as a sentence for its sender. */
export class PictureProblem extends Error {
  override readonly name = 'PictureProblem'
}

/** Larger ones cost memory and time, and no page of ours shows as much. */
const LONGEST_SIDE = 2_000

export function refuseUnlessFits({ width, height }: { width: number; height: number }): void {
  if (width < 1 || height < 1) throw new PictureProblem('The picture has no pixels. Send one that can be seen.')
  if (width <= LONGEST_SIDE && height <= LONGEST_SIDE) return
  throw new PictureProblem(
    `The picture has ${width} by ${height} pixels. Send one of at most ${LONGEST_SIDE} by ${LONGEST_SIDE}.`,
  )
}
