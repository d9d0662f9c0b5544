// A partner's logo, drawn anew by us from the picture that the partner sent.
import { PARTNER_COLUMNS, type Partner } from './partners.ts'
import { type Db, type Tx, statement } from './sql.ts'

export interface Logo {
  readonly image: Buffer
  readonly type: 'image/png' | 'image/jpeg'
  readonly hash: string
}

const SET = statement(
  'set_logo',
  `update partners p set remade_logo = $2, remade_logo_type = $3, remade_logo_hash = $4,
          logo_image = null, logo_type = null, logo_hash = null
    where p.id = $1 returning ${PARTNER_COLUMNS}`,
)

/** Null removes the logo. */
export async function setLogo(tx: Tx, partnerId: string, logo: Logo | null): Promise<Partner | null> {
  const values = [partnerId, logo?.image ?? null, logo?.type ?? null, logo?.hash ?? null]
  return (await tx.query<Partner>(SET, values))[0] ?? null
}

const FIND = statement(
  'find_logo',
  `select remade_logo as image, remade_logo_type as type, remade_logo_hash as hash from partners
    where slug = $1 and status <> 'closed' and remade_logo is not null`,
)

export async function findLogo(db: Db, slug: string): Promise<Logo | null> {
  return (await db.query<Logo>(FIND, [slug]))[0] ?? null
}

/** A picture as a partner sent it, from before logos were drawn anew. It may be shown to nobody. */
export interface LogoAsSent {
  readonly partnerId: string
  readonly image: Buffer
  readonly type: string
  readonly hash: string
}

const AS_SENT = statement(
  'logos_as_sent',
  `select id as "partnerId", logo_image as image, logo_type as type, logo_hash as hash from partners
    where logo_image is not null order by id limit $1`,
)

export function listLogosAsSent(db: Db, most: number): Promise<LogoAsSent[]> {
  return db.query<LogoAsSent>(AS_SENT, [most])
}

const REPLACE = statement(
  'replace_logo_as_sent',
  `update partners set remade_logo = $3, remade_logo_type = $4, remade_logo_hash = $5,
          logo_image = null, logo_type = null, logo_hash = null
    where id = $1 and logo_hash = $2 returning id`,
)

/** Null removes it. Nothing happens when the partner has chosen another one meanwhile. */
export async function replaceLogoAsSent(tx: Tx, sent: LogoAsSent, remade: Logo | null): Promise<void> {
  await tx.query(REPLACE, [
    sent.partnerId,
    sent.hash,
    remade?.image ?? null,
    remade?.type ?? null,
    remade?.hash ?? null,
  ])
}
