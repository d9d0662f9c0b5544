// A message of the sandbox bank that was believed, without the bank: what it names is to be read back.
import type { Deps } from '../../src/domain/deps.ts'
import { keepBankEvents } from '../../src/storage/bank-events.ts'

interface Named {
  readonly eventId: string
  readonly objectRef: string
  readonly category?: string
  /** Null: it does not say. */
  readonly happenedAt?: Date | null
  readonly state?: string | null
}

export function keepMessages(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  named: readonly Named[],
  receivedAt = clock.now(),
): Promise<void> {
  const usual = { category: 'transfer', happenedAt: null, state: null, receivedAt }
  return db.inTransaction(async (tx) =>
    keepBankEvents(
      tx,
      'sandbox',
      named.map((each) => ({ ...usual, ...each })),
    ),
  )
}
