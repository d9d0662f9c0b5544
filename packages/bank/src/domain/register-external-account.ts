// Registers recipients. An account number is looked at once and not stored.
import { BankError, refused, unknownId } from '../core/bank-error.ts'
import { after } from '../core/clock.ts'
import { keyedHash, newId } from '../core/ids.ts'
import { endsInFourZeros } from '../outcomes.ts'
import {
  type AccountToAdd,
  type ExternalAccount,
  insertExternalAccounts,
  lockExternalAccount,
  updateExternalAccount,
} from '../storage/external-accounts.ts'
import type { Tx } from '../storage/sql.ts'
import type { BankDeps } from './bank-deps.ts'
import { PAYEE_CHECK_MS } from './pace.ts'

export interface NewExternalAccount {
  readonly customerId: string
  readonly bankName: string | null
  readonly accountOwnerName: string
  readonly accountOwnerType: 'individual' | 'business' | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly businessName: string | null
  readonly sortCode: string
  readonly accountNumber: string
}

/** Returns one account or refusal each. */
export async function registerExternalAccounts(
  deps: BankDeps,
  tx: Tx,
  inputs: readonly NewExternalAccount[],
): Promise<(ExternalAccount | BankError)[]> {
  const added = inputs.map((input) => asAdded(deps, input))
  const existing = await insertExternalAccounts(tx, added)
  return added.map((each) => {
    const existingId = existing.get(each)
    return existingId === undefined ? each.account : alreadyAdded(deps, existingId)
  })
}

function asAdded(deps: BankDeps, input: NewExternalAccount): AccountToAdd {
  const { accountNumber, ...kept } = input
  const now = deps.clock.now()
  const account: ExternalAccount = {
    id: newId(),
    ...kept,
    last4: accountNumber.slice(-4),
    endsInFourZeros: endsInFourZeros(accountNumber),
    isActive: true,
    verificationRequestedAt: null,
    verificationCompletedAt: null,
    createdAt: now,
    updatedAt: now,
  }
  return { account, fingerprint: keyedHash(deps.identity.salt, `${input.sortCode} ${accountNumber}`) }
}

function alreadyAdded(deps: BankDeps, existingId: string): BankError {
  return refused(
    'duplicate_external_account',
    'An external account with the same information has already been added.',
    deps.readings.is('duplicates_say_their_id') ? { id: existingId } : {},
  )
}

interface ExternalAccountRef {
  readonly customerId: string
  readonly id: string
}

export async function deleteExternalAccount(deps: BankDeps, tx: Tx, ref: ExternalAccountRef): Promise<ExternalAccount> {
  const account = { ...(await locked(tx, ref)), isActive: false, updatedAt: deps.clock.now() }
  await updateExternalAccount(tx, account)
  return account
}

/** Asks the receiving bank whose account it is; the answer takes a moment. */
export async function checkPayee(deps: BankDeps, tx: Tx, ref: ExternalAccountRef): Promise<ExternalAccount> {
  const account = await locked(tx, ref)
  const now = deps.clock.now()
  if (account.verificationCompletedAt !== null && account.verificationCompletedAt > now) {
    throw verificationRuns()
  }
  const asked: ExternalAccount = {
    ...account,
    verificationRequestedAt: now,
    verificationCompletedAt: after(now, PAYEE_CHECK_MS),
    updatedAt: now,
  }
  await updateExternalAccount(tx, asked)
  return asked
}

/** The real bank publishes the status alone. */
function verificationRuns(): BankError {
  return new BankError(409, {
    code: 'invalid_parameters',
    message: 'A verification of this external account is already in progress.',
    source: { location: 'path', key: 'externalAccountID' },
  })
}

async function locked(tx: Tx, ref: ExternalAccountRef): Promise<ExternalAccount> {
  const account = await lockExternalAccount(tx, ref.id)
  if (account === null || account.customerId !== ref.customerId) throw unknownId('external account')
  return account
}
