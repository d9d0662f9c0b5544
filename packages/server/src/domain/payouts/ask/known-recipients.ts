// Which id the bank knows a recipient by. Payouts that are asked for together share the look-up, of whichever partners they are.
import { ReadsTogether } from '../../../core/reads-together.ts'
import type { Scope } from '../../../core/scope.ts'
import { type BankRecipient, findBankRecipients } from '../../../storage/bank-recipients.ts'
import { SHARED_LOOKUP_PATIENCE_MS } from '../../../storage/silence.ts'
import type { Deps } from '../../deps.ts'

/** Recipients per look-up. */
const MOST_TOGETHER = 64

const readers = new WeakMap<Deps['db'], ReadsTogether<BankRecipient>>()

/** The recipient's id at the bank, if we have registered it before: under whichever key, the newest of several. */
export async function findKnownRecipient(
  { db }: Pick<Deps, 'db'>,
  scope: Scope,
  fingerprints: readonly Buffer[],
): Promise<string | null> {
  const reader = readerOf(db)
  const found = await Promise.all(fingerprints.map((each) => reader.read(nameOf(scope, each))))
  return newestOf(found.filter((each) => each !== null))
}

/** Of one recipient under several keys; null: there is none. */
export function newestOf(found: readonly BankRecipient[]): string | null {
  const [first, ...others] = found
  if (first === undefined) return null
  return others.reduce((best, each) => (each.createdAt > best.createdAt ? each : best), first).recipientRef
}

function readerOf(db: Deps['db']): ReadsTogether<BankRecipient> {
  const known = readers.get(db)
  if (known !== undefined) return known
  const reader = new ReadsTogether<BankRecipient>(
    async (names) => {
      const rows = await findBankRecipients(db.lookup, names.map(askedBy))
      return new Map(rows.map((row) => [nameOf(row, row.fingerprint), row]))
    },
    { most: MOST_TOGETHER, patienceMs: SHARED_LOOKUP_PATIENCE_MS },
  )
  readers.set(db, reader)
  return reader
}

/** A recipient of a partner, as text. */
export const nameOf = ({ partnerId, environment }: Scope, fingerprint: Buffer): string =>
  `${partnerId} ${environment} ${fingerprint.toString('hex')}`

function askedBy(name: string) {
  const [partnerId, environment, fingerprint] = name.split(' ') as [string, Scope['environment'], string]
  return { partnerId, environment, fingerprint: Buffer.from(fingerprint, 'hex') }
}
