// Whether a plan reads more of a table that grows than it was asked for: all of it, or all that a partner has in it.

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Parent Relationship'?: string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Recheck Cond'?: string
  readonly Filter?: string
  readonly 'Join Type'?: string
  readonly Plans?: readonly PlanNode[]
}

export interface Plan {
  readonly Plan: PlanNode
}

/** Steps that pass rows on one by one, so that a limit above them ends the reading below. */
const STREAMS =
  /^(Limit|Nested Loop|Subquery Scan|LockRows|Result|Append|Merge Append|Incremental Sort|Unique|Memoize|ProjectSet)$/

/** What is read without a bound, in words; nothing for a plan that costs the same however many rows there are. */
export function unboundedReads(plan: Plan, grows: (table: string) => boolean): string[] {
  const found: string[] = []
  const walk = (node: PlanNode, isLimited: boolean) => {
    const table = node['Relation Name']
    if (table !== undefined && node['Node Type'] !== 'ModifyTable' && grows(table)) {
      const why = whyUnbounded(node, isLimited)
      if (why !== null) found.push(`${table}: ${why}`)
    }
    const [first] = node.Plans ?? []
    for (const child of node.Plans ?? []) {
      // Only the outer side of a join is read once and in order. A subplan is asked for one row at a time.
      const isOuter = child === first || child['Parent Relationship'] === 'Member'
      walk(child, node['Node Type'] === 'Limit' || (isLimited && isOuter && STREAMS.test(node['Node Type'])))
    }
  }
  walk(plan.Plan, false)
  return found
}

/** By which indexes a plan reads a table; a name once per place. */
export function indexesUsed(plan: Plan, table: string): string[] {
  const found: string[] = []
  const walk = (node: PlanNode, above?: string) => {
    const of = node['Relation Name'] ?? above
    const index = node['Index Name']
    if (index !== undefined && of === table) found.push(index)
    for (const child of node.Plans ?? []) walk(child, node['Node Type'].startsWith('Bitmap') ? of : undefined)
  }
  walk(plan.Plan)
  return found
}

function whyUnbounded(node: PlanNode, isLimited: boolean): string | null {
  const kind = node['Node Type']
  if (kind === 'Seq Scan' || kind === 'Parallel Seq Scan') return 'all of it, row by row'
  if (kind === 'Bitmap Heap Scan') return narrows(node['Recheck Cond'] ?? '') ? null : 'all that a partner has'
  if (!kind.includes('Index')) return null
  if (narrows(node['Index Cond'] ?? '', node['Index Name']) || (isLimited && passesAll(node.Filter ?? ''))) return null
  return `${node['Index Cond'] === undefined ? 'all of' : 'all that a partner has in'} ${node['Index Name']}`
}

/** Whether next to every row fits: what is not there to be seen yet is little. */
function passesAll(filter: string): boolean {
  return (
    filter.replaceAll(/\(?(surfaced_at IS NOT NULL|released_at IS NULL)\)?( AND )?/g, '').replaceAll(/[()]/g, '') === ''
  )
}

const WHOSE = /\b(partner_id|environment|chain)\b\)? ?(=|::)/
/** In the order of its key, all that was ever sent to an endpoint. Other indexes have only what waits, or what an event led to. */
const WHOSE_BY_KEY = /\b(partner_id|environment|endpoint_id)\b\)? ?(=|::)/

/** Whether a condition says more than whose rows, in which environment. */
function narrows(condition: string, index = ''): boolean {
  const whose = index === 'webhook_deliveries_pkey' ? WHOSE_BY_KEY : WHOSE
  return condition.split(/ AND /).some((part) => part !== '' && !whose.test(part.replaceAll(/[\w"]+\./g, '')))
}
