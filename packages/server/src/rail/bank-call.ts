import type { Trace } from '../core/trace.ts'

/** One request to a bank, as whoever watches the service hears of it: never with an id, an amount or an answer's text. */
export interface BankCall {
  /** Such as `POST /transfers`: of which there are a few dozen, whatever the bank and its ids are. */
  readonly operation: string
  readonly outcome: BankCallOutcome
  readonly startedAt: Date
  readonly seconds: number
  /** The bank was told that it is a part of this trace; null: it was told of none. */
  readonly trace: Trace | null
}

/**
 * Answered: done, refused, too many requests, or broken at the bank. Not answered: certainly not sent, or nobody knows
 * whether it arrived.
 */
export const BANK_CALL_OUTCOMES = ['ok', 'refused', 'busy', 'broken', 'not_sent', 'unknown'] as const
export type BankCallOutcome = (typeof BANK_CALL_OUTCOMES)[number]
