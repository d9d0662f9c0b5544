// How the database answers what the service really asks.
import type { Db, SqlStatement } from '../../src/storage/sql.ts'
import type { Owner } from './owner.ts'

export interface Plan {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** Every step of it, the outermost first. */
async function stepsOf(owner: Owner, ask: (db: Db) => Promise<unknown>): Promise<Plan[]> {
  const plans: Plan[] = []
  const explaining: Db = {
    query: async <Row>({ text }: SqlStatement, values: readonly unknown[] = []) => {
      const [row] = await owner.query(`explain (analyze, format json) ${text}`, values)
      plans.push((row!['QUERY PLAN'] as { Plan: Plan }[])[0]!.Plan)
      return [] as Row[]
    },
  }
  await ask(explaining)
  const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]
  return plans.flatMap(flat)
}

/** The steps that read a table or an index. */
export async function scansOf(owner: Owner, ask: (db: Db) => Promise<unknown>): Promise<Plan[]> {
  return (await stepsOf(owner, ask)).filter((step) => step['Node Type'].includes('Scan'))
}
