// Live before a bank is connected: nothing can be sent, and it says so.
import { type PayoutRail, RailUnavailable } from './rail.ts'

const REASON = 'No bank is connected for live payments.'

export const unconnectedRail: PayoutRail = {
  name: 'provider_production',
  submit: () => Promise.resolve({ kind: 'not_sent', reason: REASON }),
  readTransfers: () => Promise.resolve(new Map()),
  readRate: () => Promise.reject(new RailUnavailable(REASON)),
}
