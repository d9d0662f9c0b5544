// In the place of a rail that this process does not have, such as that of a bank which is no longer configured.
import type { RailName } from '../core/rail-name.ts'
import { type PayoutRail, RailUnavailable } from './port.ts'

/** Nothing is sent over it and nothing is proved by it: what its bank has is not known here. */
export function missingRail(name: RailName): PayoutRail {
  const reason = `This process has no bank for the rail ${name}. Configure it again, or ask one that has it.`
  const unavailable = () => Promise.reject(new RailUnavailable(reason))
  return {
    name,
    has: { wallets: true, lists: true, testMoney: false },
    words: { stoppable: new Set(), undrawn: new Set(), unfunded: new Set(), way: [] },
    // As if it remembered for ever: the bank may still have what it was asked for.
    remembersForMs: Number.POSITIVE_INFINITY,
    registerRecipient: () => Promise.resolve({ kind: 'not_sent', reason }),
    submit: () => Promise.resolve({ kind: 'unknown', reason, nothingNew: true }),
    readTransfers: () => Promise.resolve(new Map()),
    readListed: unavailable,
    findTransfers: unavailable,
    listTransfers: unavailable,
    cancelTransfer: () => Promise.resolve('unknown'),
    readRate: unavailable,
  }
}
