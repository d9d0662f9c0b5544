// How large the storm is. The suite runs a small one; `npm run storm` asks for the whole.
import { randomInt } from 'node:crypto'

const wanted = (name: string) => Number.parseInt(process.env[name] ?? '', 10) || null

export const SEED = wanted('SEED') ?? randomInt(2 ** 31)
export const PAYOUTS = wanted('STORM_PAYOUTS') ?? 60

/** In a small storm nobody waits for the leases of those that were killed: the test ends them. */
export const isSmall = PAYOUTS <= 200

export const SIZE = isSmall
  ? {
      workers: 1,
      payers: 12,
      lullMs: 400,
      stormMs: 1_200,
      spreadMs: 4_000,
      // However slow the machine is, nobody is killed more often than the storm can go on between.
      kills: { least: 5, most: 7 },
      graceSeconds: 3,
      hangMs: 800,
    }
  : {
      workers: 2,
      payers: 32,
      lullMs: 1_500,
      stormMs: 3_000,
      spreadMs: 0,
      kills: { least: 20, most: 10_000 },
      graceSeconds: 20,
      hangMs: 20_000,
    }

/** What is waited for when all is well again. A lease lasts 25 s, and may be one of three in a row. */
export const PATIENCE_MS = isSmall ? 180_000 : 900_000
