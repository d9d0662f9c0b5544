import { ENDORSEMENTS_COLUMN, type Endorsement, keepEndorsements } from './endorsements.ts'
import { type PageRequest, readPage } from './page.ts'
import type { Db, Tx } from './sql.ts'

export type CustomerStatus = 'active' | 'incomplete' | 'not_started' | 'paused' | 'rejected' | 'under_review'

export interface RejectionReason {
  readonly developer_reason: string
  readonly reason: string
  readonly created_at: string
}

export interface Customer {
  readonly id: string
  readonly type: 'individual' | 'business'
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
  readonly status: CustomerStatus
  readonly hasAcceptedTerms: boolean
  readonly rejectionReasons: readonly RejectionReason[]
  readonly endorsements: readonly Endorsement[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

const COLUMNS = `id, type, first_name as "firstName", last_name as "lastName", email, status,
  has_accepted_terms as "hasAcceptedTerms", rejection_reasons as "rejectionReasons",
  created_at as "createdAt", updated_at as "updatedAt", ${ENDORSEMENTS_COLUMN}`

/** False when another customer has that email. */
export async function insertCustomer(tx: Tx, customer: Customer): Promise<boolean> {
  const inserted = await tx.query(
    `insert into customers (id, type, first_name, last_name, email, claimed_email, status, has_accepted_terms,
       rejection_reasons, created_at, updated_at)
     values ($1, $2, $3, $4, $5::text, lower($5::text), $6, $7, $8, $9, $10)
     on conflict (claimed_email) do nothing returning true`,
    [
      customer.id,
      customer.type,
      customer.firstName,
      customer.lastName,
      customer.email,
      customer.status,
      customer.hasAcceptedTerms,
      JSON.stringify(customer.rejectionReasons),
      customer.createdAt,
      customer.updatedAt,
    ],
  )
  if (inserted.length === 0) return false
  await keepEndorsements(tx, customer.id, customer.endorsements)
  return true
}

export async function findCustomer(db: Db, id: string): Promise<Customer | null> {
  return (await db.query<Customer>(`select ${COLUMNS} from customers where id = $1`, [id]))[0] ?? null
}

export function findCustomers(db: Db, ids: readonly string[]): Promise<Customer[]> {
  return db.query<Customer>(`select ${COLUMNS} from customers where id = any ($1::uuid[])`, [ids])
}

/** The customer whom an email belongs to. */
export async function findCustomerByEmail(db: Db, email: string): Promise<Customer | null> {
  const sql = `select ${COLUMNS} from customers where claimed_email = lower($1)`
  return (await db.query<Customer>(sql, [email]))[0] ?? null
}

/** Nobody else changes the customer, or opens a wallet for them, until the transaction ends. */
export async function lockCustomer(tx: Tx, id: string): Promise<Customer | null> {
  return (await tx.query<Customer>(`select ${COLUMNS} from customers where id = $1 for no key update`, [id]))[0] ?? null
}

export async function updateCustomer(tx: Tx, customer: Customer): Promise<void> {
  await tx.query(
    `update customers set status = $2, has_accepted_terms = $3, rejection_reasons = $4, updated_at = $5 where id = $1`,
    [
      customer.id,
      customer.status,
      customer.hasAcceptedTerms,
      JSON.stringify(customer.rejectionReasons),
      customer.updatedAt,
    ],
  )
  await keepEndorsements(tx, customer.id, customer.endorsements)
}

export function listCustomers(db: Db, filter: { email: string | null }, page: PageRequest): Promise<Customer[]> {
  return readPage<Customer>(db, {
    select: COLUMNS,
    from: 'customers',
    alias: 'customers',
    table: 'customers',
    where: filter.email === null ? [] : [{ sql: 'lower(email) = lower(?)', value: filter.email }],
    page,
  })
}
