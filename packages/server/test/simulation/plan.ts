// What happens, in which order: made up from one number, so that it can be had again. Each action has chance of its own, which
// stays the same when another action is left out.
import { createDice } from '../support/dice.ts'

export type Action = { readonly chance: number; readonly steps: number } & (
  | { readonly do: 'ask'; readonly pounds: string; readonly at: number }
  | { readonly do: 'ask again'; readonly nth: number; readonly at: number }
  | { readonly do: 'ask otherwise'; readonly nth: number; readonly at: number }
  | { readonly do: 'cancel'; readonly nth: number; readonly at: number }
  | { readonly do: 'poll'; readonly nth: number; readonly at: number }
  | { readonly do: 'work'; readonly job: Job; readonly at: number }
  | { readonly do: 'move'; readonly nth: number }
  | { readonly do: 'news'; readonly nth: number; readonly at: number }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'kill'; readonly when: 'now' | 'after its next step'; readonly at: number }
  | { readonly do: 'weather'; readonly trouble: number }
)

export const JOBS = ['follow', 'sweep', 'read all', 'messages', 'refunds'] as const
export type Job = (typeof JOBS)[number]

export interface Plan {
  readonly seed: number
  readonly dollars: number
  readonly trouble: number
  readonly actions: readonly Action[]
}

type Kind = Action['do']
/** The more often a word is here, the more often it happens. */
const KINDS: readonly Kind[] = [
  ...Array<Kind>(5).fill('ask'),
  ...Array<Kind>(5).fill('ask again'),
  'ask otherwise',
  ...Array<Kind>(2).fill('cancel'),
  'poll',
  ...Array<Kind>(6).fill('work'),
  ...Array<Kind>(6).fill('move'),
  ...Array<Kind>(3).fill('news'),
  ...Array<Kind>(4).fill('pass'),
  ...Array<Kind>(3).fill('kill'),
  'weather',
]
const TIMES_MS = [1_000, 5_000, 31_000, 31_000, 90_000, 600_000, 4_000_000, 23.5 * 3_600_000, 25 * 3_600_000]
const LONGEST = 40

export function planOf(seed: number): Plan {
  // Numbers that are near each other would otherwise begin alike.
  const dice = createDice(Math.imul(seed, 2_654_435_761) ^ 0x5bd1e995)
  dice.draw(2)
  const action = (): Action => {
    const kind = dice.pick(KINDS)
    const [at, nth] = [dice.draw(2), dice.draw(12)]
    const base = { chance: dice.draw(2 ** 31), steps: dice.pick([0, 1, 2, 3, 4, 6, 9, 14, 25, 1_000, 1_000]) }
    switch (kind) {
      case 'ask':
        return { ...base, do: kind, at, pounds: dice.pick(['1.00', '25.00', '999.99', '4800.00']) }
      case 'ask again':
      case 'ask otherwise':
      case 'cancel':
      case 'poll':
      case 'news':
        return { ...base, do: kind, at, nth }
      case 'work':
        return { ...base, do: kind, at, job: dice.pick([...JOBS, 'follow', 'follow']) }
      case 'move':
        return { ...base, do: kind, nth, steps: dice.draw(4) }
      case 'pass':
        return { ...base, do: kind, ms: dice.pick(TIMES_MS) }
      case 'kill':
        return { ...base, do: kind, at, when: dice.pick(['now', 'after its next step']) }
      case 'weather':
        return { ...base, do: kind, trouble: dice.pick([0, 10, 50, 100]) }
    }
  }
  return {
    seed,
    dollars: dice.pick([100, 1_500, 20_000]),
    trouble: dice.pick([0, 5, 10, 20, 50]),
    actions: Array.from({ length: 6 + dice.draw(LONGEST - 6) }, action),
  }
}

/** An action as a person reads it. */
export function told({ steps, do: what, ...how }: Action): string {
  const words = Object.entries(how).flatMap(([name, value]) => (name === 'chance' ? [] : [`${name} ${value}`]))
  return `${what}${words.length === 0 ? '' : ` (${words.join(', ')})`}, then ${steps >= 1_000 ? 'all' : steps} steps`
}
