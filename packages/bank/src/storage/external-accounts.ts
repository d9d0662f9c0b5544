import { type Condition, type PageRequest, readPage } from './page.ts'
import type { Db, Tx } from './sql.ts'

export interface ExternalAccount {
  readonly id: string
  readonly customerId: string
  readonly bankName: string | null
  readonly accountOwnerName: string
  readonly accountOwnerType: 'individual' | 'business' | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly businessName: string | null
  readonly sortCode: string
  readonly last4: string
  readonly endsInFourZeros: boolean
  readonly isActive: boolean
  readonly verificationRequestedAt: Date | null
  /** In the future while the check is still running. */
  readonly verificationCompletedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

const COLUMNS = `id, customer_id as "customerId", bank_name as "bankName", account_owner_name as "accountOwnerName",
  account_owner_type as "accountOwnerType", first_name as "firstName", last_name as "lastName",
  business_name as "businessName", sort_code as "sortCode", last_4 as "last4",
  ends_in_four_zeros as "endsInFourZeros", is_active as "isActive",
  verification_requested_at as "verificationRequestedAt", verification_completed_at as "verificationCompletedAt",
  created_at as "createdAt", updated_at as "updatedAt"`

/** The id of the active account with the same number, or null when this one was added. */
export async function insertExternalAccount(
  tx: Tx,
  account: ExternalAccount,
  fingerprint: Buffer,
): Promise<string | null> {
  const inserted = await tx.query(
    `insert into external_accounts (id, customer_id, bank_name, account_owner_name, account_owner_type, first_name,
       last_name, business_name, sort_code, last_4, fingerprint, ends_in_four_zeros, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)
     on conflict (customer_id, fingerprint) where is_active do nothing returning true`,
    [
      account.id,
      account.customerId,
      account.bankName,
      account.accountOwnerName,
      account.accountOwnerType,
      account.firstName,
      account.lastName,
      account.businessName,
      account.sortCode,
      account.last4,
      fingerprint,
      account.endsInFourZeros,
      account.createdAt,
    ],
  )
  if (inserted.length > 0) return null
  const [existing] = await tx.query<{ id: string }>(
    'select id from external_accounts where customer_id = $1 and fingerprint = $2 and is_active',
    [account.customerId, fingerprint],
  )
  return existing?.id ?? null
}

export async function findExternalAccount(db: Db, id: string): Promise<ExternalAccount | null> {
  const rows = await db.query<ExternalAccount>(`select ${COLUMNS} from external_accounts where id = $1 and is_active`, [
    id,
  ])
  return rows[0] ?? null
}

export function findExternalAccounts(db: Db, ids: readonly string[]): Promise<ExternalAccount[]> {
  return db.query<ExternalAccount>(
    `select ${COLUMNS} from external_accounts where id = any ($1::uuid[]) and is_active`,
    [ids],
  )
}

export async function lockExternalAccount(tx: Tx, id: string): Promise<ExternalAccount | null> {
  const rows = await tx.query<ExternalAccount>(
    `select ${COLUMNS} from external_accounts where id = $1 and is_active for update`,
    [id],
  )
  return rows[0] ?? null
}

export async function updateExternalAccount(tx: Tx, account: ExternalAccount): Promise<void> {
  await tx.query(
    `update external_accounts set is_active = $2, verification_requested_at = $3, verification_completed_at = $4,
       updated_at = $5 where id = $1`,
    [account.id, account.isActive, account.verificationRequestedAt, account.verificationCompletedAt, account.updatedAt],
  )
}

export function listExternalAccounts(
  db: Db,
  filter: { customerId: string | null },
  page: PageRequest,
): Promise<ExternalAccount[]> {
  const where: Condition[] = [{ sql: 'is_active = ?', value: true }]
  if (filter.customerId !== null) where.push({ sql: 'customer_id = ?', value: filter.customerId })
  return readPage<ExternalAccount>(db, {
    select: COLUMNS,
    from: 'external_accounts',
    alias: 'external_accounts',
    table: 'external_accounts',
    where,
    page,
  })
}
