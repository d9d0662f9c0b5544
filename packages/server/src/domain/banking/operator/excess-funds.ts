// The operator's own wallet at a bank: what it should hold, and what the operator has moved itself.
import type { Environment } from '@kestrel/contract'

import { AppError } from '../../../core/errors.ts'
import { formatUsdcExact, microUsdc } from '../../../core/money.ts'
import { RailUnavailable } from '../../../rail/port.ts'
import {
  type ExpectedExcess,
  keepExcessMovement,
  lockExcessFunds,
  readExpectedExcess,
} from '../../../storage/excess-funds.ts'
import { isTopUpBack } from '../../../storage/top-ups-back.ts'
import type { Deps } from '../../deps.ts'

export interface ExcessFunds extends ExpectedExcess {
  /** What the bank says; null: no wallet is named, or the bank cannot be asked. */
  readonly atBank: bigint | null
}

export async function readExcessFunds(deps: Deps, environment: Environment): Promise<ExcessFunds> {
  const funds = deps.banks[environment]?.excess ?? null
  const atBank = funds === null ? null : await funds.readBalance().catch(unknown)
  return { ...(await readExpectedExcess(deps.db, environment)), atBank }
}

function unknown(error: unknown): null {
  if (error instanceof RailUnavailable) return null
  throw error
}

/** Notes what the operator moved, below zero out of the wallet; once per reference. */
export async function noteExcessMovement(
  deps: Deps,
  environment: Environment,
  movement: { amount: bigint; reference: string; reason: string },
): Promise<{ isRepeated: boolean }> {
  const { reference } = movement
  const kept = await deps.db.inTransaction(async (tx) => {
    await lockExcessFunds(tx, environment)
    if (await isTopUpBack(tx, environment, reference)) {
      const message = `What ${reference} names is booked already: it was seen in your wallet. Nothing was noted.`
      throw new AppError('invalid_request', message)
    }
    return keepExcessMovement(tx, environment, { ...movement, at: deps.clock.now() })
  })
  if (kept.amount !== movement.amount) {
    const was = formatUsdcExact(microUsdc(kept.amount))
    throw new AppError(
      'invalid_request',
      `The reference ${movement.reference} is that of ${was} USDC. Nothing was noted.`,
    )
  }
  return { isRepeated: !kept.isNew }
}
