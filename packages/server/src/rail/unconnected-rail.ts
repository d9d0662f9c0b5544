// A bank's rail until the bank is connected: it sends nothing, and says so.
import { type PayoutRail, RailUnavailable } from './port.ts'

const REASON = 'No bank is connected for live payments.'

export const unconnectedRail: Omit<PayoutRail, 'name' | 'has' | 'words'> = {
  remembersForMs: 0,
  registerRecipient: () => Promise.resolve({ kind: 'not_sent', reason: REASON }),
  submit: () => Promise.resolve({ kind: 'not_sent', reason: REASON }),
  readTransfers: () => Promise.resolve(new Map()),
  findTransfers: () => Promise.resolve({ own: [], others: [], earlier: [], nameless: [] }),
  readListed: () => Promise.resolve(null),
  listTransfers: () => Promise.resolve({ transfers: [], unread: [], next: null }),
  cancelTransfer: () => Promise.resolve('unknown'),
  readRate: () => Promise.reject(new RailUnavailable(REASON)),
}
