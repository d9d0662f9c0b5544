import { type PageRequest, readPage } from './page.ts'
import type { Db, Tx } from './sql.ts'

export type CustomerStatus = 'active' | 'incomplete' | 'not_started' | 'rejected' | 'under_review'

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
  readonly createdAt: Date
  readonly updatedAt: Date
}

const COLUMNS = `id, type, first_name as "firstName", last_name as "lastName", email, status,
  has_accepted_terms as "hasAcceptedTerms", rejection_reasons as "rejectionReasons",
  created_at as "createdAt", updated_at as "updatedAt"`

export async function insertCustomer(tx: Tx, customer: Customer): Promise<void> {
  await tx.query(
    `insert into customers (id, type, first_name, last_name, email, status, has_accepted_terms, rejection_reasons,
       created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
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
}

export async function findCustomer(db: Db, id: string): Promise<Customer | null> {
  return (await db.query<Customer>(`select ${COLUMNS} from customers where id = $1`, [id]))[0] ?? null
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
}

export function listCustomers(db: Db, filter: { email: string | null }, page: PageRequest): Promise<Customer[]> {
  return readPage<Customer>(db, {
    select: COLUMNS,
    from: 'customers',
    alias: 'customers',
    table: 'customers',
    where: filter.email === null ? [] : [{ sql: 'email = ?', value: filter.email }],
    page,
  })
}
