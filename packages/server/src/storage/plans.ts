import type { Plan } from '../core/plan.ts'
import { type Db, type Tx, statement } from './sql.ts'

/** The columns of a plan under the names that the program uses; `plan` is the table's alias. */
export const PLAN_COLUMNS = `
  plan.payout_fixed_pence as "payoutFixed", plan.payout_basis_points as "payoutBasisPoints",
  plan.bank_fixed_pence as "bankFixed", plan.bank_basis_points as "bankBasisPoints",
  plan.monthly_account_pence as "monthlyAccount", plan.business_verification_pence as "businessVerification"`

/** The plan that is valid at a moment; joined laterally to a row `p` of partners. */
export function planJoin(momentParameter: string): string {
  return `join lateral (
    select * from plans where plans.partner_id = p.id and plans.valid_from <= ${momentParameter}
     order by plans.valid_from desc limit 1
  ) plan on true`
}

const AT = statement('plan_at', `select ${PLAN_COLUMNS} from partners p ${planJoin('$2')} where p.id = $1`)

/** The plan that held at a moment; null before the first one. */
export async function findPlanAt(db: Db, partnerId: string, at: Date): Promise<Plan | null> {
  return (await db.query<Plan>(AT, [partnerId, at]))[0] ?? null
}

const INSERT = statement(
  'insert_plan',
  `insert into plans (partner_id, valid_from, payout_fixed_pence, payout_basis_points, bank_fixed_pence,
     bank_basis_points, monthly_account_pence, business_verification_pence)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

export function insertPlan(tx: Tx, plan: Plan & { partnerId: string; validFrom: Date }): void {
  tx.defer(INSERT, [
    plan.partnerId,
    plan.validFrom,
    plan.payoutFixed,
    plan.payoutBasisPoints,
    plan.bankFixed,
    plan.bankBasisPoints,
    plan.monthlyAccount,
    plan.businessVerification,
  ])
}
