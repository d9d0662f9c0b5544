import type { RejectionReason } from './customers.ts'
import { type Condition, type PageRequest, readPage } from './page.ts'
import type { Db, Tx } from './sql.ts'

export type KycStatus = 'not_started' | 'incomplete' | 'under_review' | 'approved' | 'rejected' | 'paused'
export type TosStatus = 'pending' | 'approved'

export interface KycLink {
  readonly id: string
  readonly customerId: string
  readonly type: 'individual' | 'business'
  readonly fullName: string | null
  readonly email: string
  readonly redirectUri: string | null
  readonly kycStatus: KycStatus
  readonly tosStatus: TosStatus
  readonly rejectionReasons: readonly RejectionReason[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

const COLUMNS = `l.id, l.customer_id as "customerId", l.type, l.full_name as "fullName", l.email,
  l.redirect_uri as "redirectUri", l.kyc_status as "kycStatus", l.tos_status as "tosStatus",
  c.rejection_reasons as "rejectionReasons", l.created_at as "createdAt", l.updated_at as "updatedAt"`
const FROM = 'kyc_links l join customers c on c.id = l.customer_id'

export async function insertKycLink(tx: Tx, link: KycLink): Promise<void> {
  await tx.query(
    `insert into kyc_links (id, customer_id, type, full_name, email, redirect_uri, kyc_status, tos_status, created_at,
       updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      link.id,
      link.customerId,
      link.type,
      link.fullName,
      link.email,
      link.redirectUri,
      link.kycStatus,
      link.tosStatus,
      link.createdAt,
      link.updatedAt,
    ],
  )
}

export async function findKycLink(db: Db, id: string): Promise<KycLink | null> {
  return (await db.query<KycLink>(`select ${COLUMNS} from ${FROM} where l.id = $1`, [id]))[0] ?? null
}

export async function findKycLinkOfCustomer(db: Db, customerId: string): Promise<KycLink | null> {
  return (await db.query<KycLink>(`select ${COLUMNS} from ${FROM} where l.customer_id = $1`, [customerId]))[0] ?? null
}

export async function updateKycLink(tx: Tx, link: KycLink): Promise<void> {
  await tx.query('update kyc_links set kyc_status = $2, tos_status = $3, updated_at = $4 where id = $1', [
    link.id,
    link.kycStatus,
    link.tosStatus,
    link.updatedAt,
  ])
}

export function listKycLinks(
  db: Db,
  filter: { customerId: string | null; email: string | null },
  page: PageRequest,
): Promise<KycLink[]> {
  const where: Condition[] = []
  if (filter.customerId !== null) where.push({ sql: 'l.customer_id::text = ?', value: filter.customerId })
  if (filter.email !== null) where.push({ sql: 'l.email = ?', value: filter.email })
  return readPage<KycLink>(db, { select: COLUMNS, from: FROM, alias: 'l', table: 'kyc_links', where, page })
}
