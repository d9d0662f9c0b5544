// Recipients, as the real bank shows them: never with the account number.
import type { ExternalAccount } from '../storage/external-accounts.ts'

export function presentExternalAccount(account: ExternalAccount, now: Date): object {
  return {
    id: account.id,
    customer_id: account.customerId,
    created_at: account.createdAt,
    updated_at: account.updatedAt,
    bank_name: account.bankName,
    account_name: null,
    account_owner_name: account.accountOwnerName,
    active: account.isActive,
    currency: 'gbp',
    account_owner_type: account.accountOwnerType,
    account_type: 'gb',
    first_name: account.firstName,
    last_name: account.lastName,
    business_name: account.businessName,
    last_4: account.last4,
    account: { sort_code: account.sortCode, last_4: account.last4 },
    ...(account.verificationRequestedAt === null ? {} : { account_verification: verificationOf(account, now) }),
  }
}

/** The answer to asking for a payee check. */
export function presentPayeeCheck(account: ExternalAccount, now: Date): object {
  return { account_type: 'gb', account_verification: verificationOf(account, now) }
}

function verificationOf(account: ExternalAccount, now: Date): object {
  const completedAt = account.verificationCompletedAt
  const isRunning = completedAt === null || completedAt > now
  return {
    gb: isRunning
      ? { match_level: 'pending', reason_code: null, validated_account_owner_name: null }
      : matchOf(account),
    requested_at: account.verificationRequestedAt,
    completed_at: isRunning ? null : completedAt,
  }
}

/** Every account belongs to the person named, except those ending 0000, which do not exist. */
function matchOf(account: ExternalAccount): object {
  if (account.endsInFourZeros) {
    return { match_level: 'no_match', reason_code: 'AC01', validated_account_owner_name: null }
  }
  return { match_level: 'match', reason_code: null, validated_account_owner_name: account.accountOwnerName }
}
