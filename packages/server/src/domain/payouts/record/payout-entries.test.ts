import { describe, expect, it } from 'vitest'

import { BEFORE, SENDS, sendingRow } from '../../../../test/support/outcomes.ts'
import type { FollowedPayout } from '../../../storage/payouts.ts'
import type { Stage } from '../progress.ts'
import { entriesTo } from './payout-entries.ts'

const HELD = sendingRow({ sendAttempts: 3 })
const IN_TRANSIT = sendingRow({ sendState: 'accepted', status: 'processing' })
const PAID = sendingRow({ sendState: 'accepted', status: 'completed', completedAt: BEFORE })

const written = (row: FollowedPayout, to: Stage['money']) =>
  entriesTo(row, to).map(({ kind, seq, from, to: target }) => `${kind} ${seq} ${from}>${target}`)

describe('the entries of a payout’s money', () => {
  // The number is a part of an entry's key: with another one, what is booked once could be booked again.
  it.each<[string, FollowedPayout, Stage['money'], string[]]>([
    ['held, and sent', HELD, 'in_transit', ['capture 1 held>in_transit']],
    ['held, and paid', HELD, 'paid_out', ['capture 1 held>in_transit', 'settle 1 in_transit>paid_out']],
    ['held, and not sent', HELD, 'available', ['release 3 held>available']],
    ['sent, and paid', IN_TRANSIT, 'paid_out', ['settle 1 in_transit>paid_out']],
    ['sent, and back', IN_TRANSIT, 'available', ['refund 1 in_transit>available']],
    ['paid, and back', PAID, 'available', ['refund 1 paid_out>available']],
    ['held, and still held', HELD, 'held', []],
    ['paid, and still paid', PAID, 'paid_out', []],
  ])('%s', (_, row, to, entries) => {
    expect(written(row, to)).toEqual(entries)
    for (const entry of entriesTo(row, to)) expect(entry).toMatchObject({ cause: row.id, amount: SENDS })
  })
})
