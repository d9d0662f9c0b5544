// What this process remembers of each bank between two goes. It may be lost at any time, and another process has its own.
import type { Environment } from '@kestrel/contract'

import type { Deps } from '../../deps.ts'
import { DealtWith } from './dealt-with.ts'
import { LatelyLocked } from './wallet-patience.ts'

export interface BankMemory {
  readonly dealt: DealtWith
  readonly lately: LatelyLocked
}

const memories = new WeakMap<Deps['db'], Record<Environment, BankMemory>>()

export function memoryOf({ db }: Pick<Deps, 'db'>, environment: Environment): BankMemory {
  const known = memories.get(db) ?? { sandbox: empty(), live: empty() }
  memories.set(db, known)
  return known[environment]
}

const empty = (): BankMemory => ({ dealt: new DealtWith(), lately: new LatelyLocked() })
