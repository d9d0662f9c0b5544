// Whether a statement can see more than one partner's rows, asked of PostgreSQL's own plan for it: each scan of a
// partner's table must be tied to a partner that was given, directly or through what it is joined with.

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Alias?: string
  readonly Plans?: readonly PlanNode[]
  readonly [property: string]: unknown
}

export interface Plan {
  readonly Plan: PlanNode
}

const GIVEN = '$'
/** What a function or a list of values gives comes from the parameters; a CTE's own scans are looked at where they are. */
const FROM_PARAMETERS = /^(Function Scan|Values Scan|CTE Scan|WorkTable Scan|Table Function Scan)$/
const SIDE = String.raw`(?:[\w"*]+\.)?[\w"*]+|\$\d+`
const EQUALITY = new RegExp(String.raw`(${SIDE}) = (ANY|${SIDE})`, 'g')

/** Where a partner's table is read without saying whose; nothing when the statement is safe. */
export function untiedScans(plan: Plan, keyOf: (table: string) => string | null): string[] {
  const nodes = [...walk(plan.Plan)]
  const scans = nodes.filter((node) => node['Relation Name'] !== undefined && node['Node Type'] !== 'ModifyTable')
  const keys = new Map(scans.map((node) => [node.Alias!, keyOf(node['Relation Name']!)]))
  const given = new Set(nodes.filter((node) => FROM_PARAMETERS.test(node['Node Type'])).map((node) => node.Alias!))
  const ties = new Ties()
  const partyOf = (side: string): string | null => {
    if (side.startsWith('$') || side === 'ANY') return GIVEN
    const [alias = '', column = ''] = side.replaceAll('"', '').split('.')
    if (given.has(alias)) return GIVEN
    return column === (keys.get(alias) ?? 'partner_id') ? alias : null
  }
  for (const condition of nodes.flatMap(conditionsOf)) {
    for (const [, left = '', right = ''] of condition.matchAll(EQUALITY)) {
      const [one, other] = [partyOf(left), partyOf(right)]
      if (one !== null && other !== null) ties.tie(one, other)
    }
  }
  return scans
    .filter((node) => keys.get(node.Alias!) !== null && !isByPlace(node) && !ties.areTied(node.Alias!, GIVEN))
    .map((node) => `${node['Relation Name']} as ${node.Alias}`)
}

/** A row that another part of the statement has found, by its place in the table: whose it is, is asked there. */
function isByPlace(node: PlanNode): boolean {
  return node['Node Type'] === 'Tid Scan' && !/\$\d/.test(String(node['TID Cond']))
}

function conditionsOf(node: PlanNode): string[] {
  return Object.entries(node).flatMap(([name, value]) =>
    /(Cond|Filter)$/.test(name) && typeof value === 'string'
      ? [
          withoutAlternatives(value)
            // A partner as text, or alone in a list, is the same partner.
            .replaceAll(/ARRAY\[([^\]]+)\]/g, '$1')
            .replaceAll(/\(([\w"*]+\.[\w"*]+)\)(?=::text)/g, '$1')
            .replaceAll(/::[a-z_]+(\[\])?/g, '')
            .replaceAll(/\((\$\d+)\)/g, '$1'),
        ]
      : [],
  )
}

/** What holds in any case: "this partner's, or ..." says of no row whose it is. */
function withoutAlternatives(condition: string): string {
  const open: string[] = ['']
  for (const part of condition.replaceAll(/'(?:[^']|'')*'/g, "''").split(/([()])/)) {
    if (part === '(') open.push('')
    else if (part !== ')') open.push(open.pop()! + part)
    else {
      const inner = open.pop()!
      open.push(`${open.pop()!}(${/ OR |^NOT /.test(inner.replaceAll(/\([^()]*\)/g, '')) ? '' : inner})`)
    }
  }
  return open.join('')
}

function* walk(node: PlanNode): Generator<PlanNode> {
  yield node
  for (const child of node.Plans ?? []) yield* walk(child)
}

/** Which of them are of the same partner. */
class Ties {
  readonly #to = new Map<string, string>()

  tie(one: string, other: string): void {
    const [from, to] = [this.#root(one), this.#root(other)]
    if (from !== to) this.#to.set(from, to)
  }

  areTied(one: string, other: string): boolean {
    return this.#root(one) === this.#root(other)
  }

  #root(name: string): string {
    const next = this.#to.get(name)
    return next === undefined ? name : this.#root(next)
  }
}
