// The port to the controls of our own sandbox bank. No real bank has them.
import type { MicroUsdc } from '../core/money.ts'

/** A move of one transfer, in the bank's words. */
export type Steering = 'submit' | 'settle' | 'return' | 'undeliver' | 'review' | 'refund' | 'cancel'

export interface SandboxControls {
  /** False when the transfer's state does not allow that move. Throws RailUnavailable without an answer. */
  steer(transferRef: string, move: Steering): Promise<boolean>
  /** A deposit that arrives as a real one would. */
  deposit(walletRef: string, deposit: { amount: MicroUsdc; source: 'bank' | 'chain' }): Promise<void>
}
