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

/** An account to be added, with the keyed hash of its number. */
export interface AccountToAdd {
  readonly account: ExternalAccount
  readonly fingerprint: Buffer
}

/** Adds those whose number is new to their customer. Returns for each of the others the id of the active account with it. */
export async function insertExternalAccounts(
  tx: Tx,
  added: readonly AccountToAdd[],
): Promise<ReadonlyMap<AccountToAdd, string>> {
  if (added.length === 0) return new Map()
  const accounts = added.map(({ account }) => account)
  const inserted = await tx.query<{ id: string }>(
    `insert into external_accounts (id, customer_id, bank_name, account_owner_name, account_owner_type, first_name,
       last_name, business_name, sort_code, last_4, fingerprint, ends_in_four_zeros, created_at, updated_at)
     select *, at from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
       $8::text[], $9::text[], $10::text[], $11::bytea[], $12::boolean[], $13::timestamptz[])
       as added (id, customer_id, bank_name, account_owner_name, account_owner_type, first_name, last_name,
         business_name, sort_code, last_4, fingerprint, ends_in_four_zeros, at)
     on conflict (customer_id, fingerprint) where is_active do nothing returning id`,
    [
      accounts.map((account) => account.id),
      accounts.map((account) => account.customerId),
      accounts.map((account) => account.bankName),
      accounts.map((account) => account.accountOwnerName),
      accounts.map((account) => account.accountOwnerType),
      accounts.map((account) => account.firstName),
      accounts.map((account) => account.lastName),
      accounts.map((account) => account.businessName),
      accounts.map((account) => account.sortCode),
      accounts.map((account) => account.last4),
      added.map(({ fingerprint }) => fingerprint),
      accounts.map((account) => account.endsInFourZeros),
      accounts.map((account) => account.createdAt),
    ],
  )
  const isNew = new Set(inserted.map(({ id }) => id))
  const known = added.filter(({ account }) => !isNew.has(account.id))
  if (known.length === 0) return new Map()
  const existing = await tx.query<{ id: string; place: number }>(
    `select account.id, asked.place::int as place
       from unnest($1::uuid[], $2::bytea[]) with ordinality as asked (customer_id, fingerprint, place)
       join external_accounts account using (customer_id, fingerprint) where account.is_active`,
    [known.map(({ account }) => account.customerId), known.map(({ fingerprint }) => fingerprint)],
  )
  return new Map(existing.map(({ id, place }) => [known[place - 1]!, id]))
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
