// A live bank that says of each transfer something else, and something else again when its mood has changed.
import { after } from '../../src/core/clock.ts'
import { microPence, microUsdc } from '../../src/core/money.ts'
import type { TransferRequest, TransferSnapshot } from '../../src/rail/transfer.ts'
import type { Dice } from '../support/dice.ts'
import type { LiveBank } from './live-bank.ts'

type Said = Pick<TransferSnapshot, 'state'> & Partial<TransferSnapshot>

export interface Moods {
  /** About one in three of these payouts stands differently at the bank from now on, if it can. */
  readonly change: (payoutIds: readonly string[]) => void
}

/** Until its moods change, every transfer is under way. */
export function makeMoody(bank: LiveBank, dice: Dice, now: () => Date): Moods {
  const said = new Map<string, Said>()
  bank.readTransfers = (refs) => Promise.resolve(new Map(refs.map((ref) => [ref, snapshot(ref)])))
  const snapshot = (transferRef: string): TransferSnapshot => {
    const says: Said = said.get(transferRef) ?? { state: 'submitted' }
    // Somebody always looks again, so that a return can follow.
    const nextChangeAt = after(now(), 1_000)
    return { transferRef, refund: 'none', reason: null, bankState: says.state, nextChangeAt, ...says }
  }
  const requestOf = (id: string) => bank.requests.find(({ clientReference }) => clientReference === id)!
  const change = (payoutIds: readonly string[]) => {
    for (const id of payoutIds) {
      if (dice.draw(3) !== 0) continue
      const before = said.get(`live_${id}`)
      said.set(`live_${id}`, before === undefined ? firstWord(dice, requestOf(id)) : nextWord(dice, before))
    }
  }
  return { change }
}

/** Some take more or less than was reserved, and some have a receipt. */
function firstWord(dice: Dice, { walletSends, receive }: TransferRequest): Said {
  const more = microUsdc(walletSends + BigInt(dice.draw(500_000)))
  const less = microUsdc(walletSends - BigInt(dice.draw(100_000)))
  return dice.pick<Said>([
    { state: 'settled' },
    { state: 'settled', receipt: { networkCost: microPence(BigInt(1 + dice.draw(90_000_000))) } },
    { state: 'settled', send: more, receive },
    { state: 'settled', send: less, receive, surplus: microUsdc(BigInt(dice.draw(1_000))) },
    { state: 'submitted', send: more, receive },
    { state: 'undeliverable', refund: 'done' },
    { state: 'cancelled', refund: 'done' },
    { state: 'returned', refund: 'in_flight' },
  ])
}

/** What can come after what was said; an end stays what it is. */
function nextWord(dice: Dice, before: Said): Said {
  if (before.state === 'submitted') {
    return dice.pick<Said>([
      before,
      { ...before, state: 'settled' },
      { ...before, state: 'undeliverable', refund: 'done' },
    ])
  }
  if (before.state === 'settled') {
    return dice.pick<Said>([before, before, before, { ...before, state: 'returned', refund: 'in_flight' }])
  }
  return before.state === 'returned' ? { ...before, refund: 'done' } : before
}
