// Mutants that the simulation catches: in many stories, of which one that goes wrong is enough.
import type { Mutant } from './mutant.ts'

/** Any mutant, to see whether it would be caught. */
export const BY_SIMULATION: Mutant['caughtBy'] = {
  file: 'packages/server/test/simulation/simulation.test.ts',
  test: 'ends with one ending per payout',
  env: { SEED: '1', SEEDS: '300', SHORTEST: 'no' },
}

const FEW = { ...BY_SIMULATION, env: { ...BY_SIMULATION.env, SEEDS: '60' } }

/** Mistakes that show when several things happen at once. */
export const IN_STORIES: readonly Mutant[] = [
  {
    name: 'new-key-per-request',
    promise: 'simulation',
    mistake: 'A request that is repeated has the same reference and another key.',
    change: {
      file: 'rail/provider/provider-rail.ts',
      from: 'idempotencyKey: request.attempt === 1 ? request.clientReference : `${request.clientReference}:${request.attempt}`,',
      to: 'idempotencyKey: `${request.clientReference}:${crypto.randomUUID()}`,',
    },
    caughtBy: FEW,
  },
]
