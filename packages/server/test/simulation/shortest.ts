// The shortest story that still goes wrong: what can be left out is.
import type { Action } from './plan.ts'

const MOST_TRIES = 200

export async function shortest(
  actions: readonly Action[],
  goesWrong: (actions: readonly Action[]) => Promise<boolean>,
): Promise<readonly Action[]> {
  let story = actions
  let tries = 0
  for (let size = Math.ceil(story.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < story.length && tries < MOST_TRIES;) {
      const without = story.filter((_, index) => index < from || index >= from + size)
      tries += 1
      if (await goesWrong(without)) story = without
      else from += size
    }
  }
  return story
}
