import type { DatedPlan, Plan } from '../core/plan.ts'
import { type Db, type Tx, statement } from './sql.ts'

/** The columns of a plan under the names that the program uses; `plan` is the table's alias. */
export const PLAN_COLUMNS = `
  plan.payout_fixed_pence as "payoutFixed", plan.payout_basis_points as "payoutBasisPoints",
  plan.bank_fixed_pence as "bankFixed", plan.bank_basis_points as "bankBasisPoints",
  plan.monthly_account_pence as "monthlyAccount", plan.business_verification_pence as "businessVerification",
  plan.network_cost_pence as "networkCost", plan.network_markup_basis_points as "networkMarkupBasisPoints",
  plan.exception_cost_pence as "exceptionCost", plan.exception_markup_basis_points as "exceptionMarkupBasisPoints"`

/**
 * The plan that is valid at a moment, joined laterally to a row `p` of partners. A process whose clock is behind that of
 * the one which opened the account must find the first plan too, or it would not know the partner at all.
 */
export function planJoin(momentParameter: string): string {
  return `join lateral (
    select plans.*, plans.xmin as version from plans
     where plans.partner_id = p.id and plans.valid_from <= greatest(${momentParameter}::timestamptz, p.created_at)
     order by plans.valid_from desc limit 1
  ) plan on true`
}

const LIST = statement(
  'list_plans',
  `select plan.valid_from as "validFrom", ${PLAN_COLUMNS} from plans plan where plan.partner_id = $1
    order by plan.valid_from`,
)

/** A partner's plans, oldest first. */
export function listPlans(db: Db, partnerId: string): Promise<DatedPlan[]> {
  return db.query<DatedPlan>(LIST, [partnerId])
}

const INSERT = statement(
  'insert_plan',
  `insert into plans (partner_id, valid_from, payout_fixed_pence, payout_basis_points, bank_fixed_pence,
     bank_basis_points, monthly_account_pence, business_verification_pence, network_cost_pence,
     network_markup_basis_points, exception_cost_pence, exception_markup_basis_points)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
   on conflict (partner_id, valid_from) do update set
     payout_fixed_pence = excluded.payout_fixed_pence, payout_basis_points = excluded.payout_basis_points,
     bank_fixed_pence = excluded.bank_fixed_pence, bank_basis_points = excluded.bank_basis_points,
     monthly_account_pence = excluded.monthly_account_pence,
     business_verification_pence = excluded.business_verification_pence,
     network_cost_pence = excluded.network_cost_pence,
     network_markup_basis_points = excluded.network_markup_basis_points,
     exception_cost_pence = excluded.exception_cost_pence,
     exception_markup_basis_points = excluded.exception_markup_basis_points`,
)

/** Replaces a plan that begins at the same moment. */
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
    plan.networkCost,
    plan.networkMarkupBasisPoints,
    plan.exceptionCost,
    plan.exceptionMarkupBasisPoints,
  ])
}
