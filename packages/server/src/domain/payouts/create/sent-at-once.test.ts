// What a rail says of a payout beforehand is a saving and no more: one that cannot say it is asked in the usual way.
import { describe, expect, it } from 'vitest'

import { microUsdc, pence } from '../../../core/money.ts'
import { createSimulatedRail } from '../../../rail/simulated-rail.ts'
import type { NewPayout } from '../../../storage/payout-reservations.ts'
import { foretoldOf } from './sent-at-once.ts'

const NOW = new Date('2026-11-19T10:00:00.000Z')
const BANK = { bank_name: 'Monzo', sort_code: '040004', account_number: '12345678' }
const ADDRESS = { line1: '1 High Street', city: 'Leeds', postal_code: 'LS1 4AP', region: 'ENG' }
const ASKED = {
  payout: {
    id: '5d0c1a2b-0000-4000-8000-000000000001',
    amount: pence(2_500n),
    walletSends: microUsdc(32_070_000n),
    reference: 'Invoice 7',
    statementReference: 'Invoice 7',
  } as NewPayout,
  recipient: { type: 'individual', first_name: 'Ada', last_name: 'Ashby', address: ADDRESS, bank: BANK },
} as const

const rail = createSimulatedRail({ now: () => NOW })
const foretold = (changed: Partial<typeof rail>) =>
  foretoldOf({ rails: { simulated: { ...rail, ...changed } } }, { terms: { rail: 'simulated', account: null } }, ASKED)
const fails = () => {
  throw new Error('The rail is out of order.')
}

describe('what a rail says beforehand', () => {
  it('is the transfer, and how it stands later', () => {
    const said = foretold({})!
    const transferRef = said.transferAt(NOW)!.transferRef
    expect(said.later(transferRef, new Date(NOW.getTime() + 60_000))).toMatchObject({ state: 'settled' })
  })

  it('is nothing where it fails, and nobody else’s loss', () => {
    const said = foretold({ foretell: fails, readAt: fails })!
    expect([said.transferAt(NOW), said.later('any', NOW)]).toEqual([null, null])
  })
})
