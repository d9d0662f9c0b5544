// What customers are approved for. Each endorsement is approved by itself.
import type { Tx } from './sql.ts'

export const ENDORSEMENT_NAMES = ['base', 'sepa', 'spei', 'cards', 'faster_payments'] as const
export type EndorsementName = (typeof ENDORSEMENT_NAMES)[number]

export interface Endorsement {
  readonly name: EndorsementName
  readonly status: 'incomplete' | 'approved' | 'revoked'
  /** What the bank still asks the customer for. */
  readonly missing: readonly string[]
}

/** The endorsements of the row of `customers` that a query reads, as a list. */
export const ENDORSEMENTS_COLUMN = `(select coalesce(json_agg(json_build_object('name', e.name, 'status', e.status,
    'missing', e.missing) order by array_position(array['base', 'sepa', 'spei', 'cards', 'faster_payments'], e.name)), '[]')
  from endorsements e where e.customer_id = customers.id) as endorsements`

export async function keepEndorsements(
  tx: Tx,
  customerId: string,
  endorsements: readonly Endorsement[],
): Promise<void> {
  for (const { name, status, missing } of endorsements) {
    await tx.query(
      `insert into endorsements (customer_id, name, status, missing) values ($1, $2, $3, $4)
       on conflict (customer_id, name) do update set status = excluded.status, missing = excluded.missing`,
      [customerId, name, status, missing],
    )
  }
}
