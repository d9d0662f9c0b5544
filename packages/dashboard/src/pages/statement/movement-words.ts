// What a movement of the wallet is called in the statement.
import { readable } from '../../format/readable.ts'

const MOVEMENTS: Readonly<Record<string, string>> = {
  top_up: 'Top-up',
  correction: 'Correction',
  payout: 'Payout',
  payout_released: 'Not sent, money back',
  payout_refunded: 'Payout refunded',
}

export const movementWords = (kind: string) => MOVEMENTS[kind] ?? readable(kind)
