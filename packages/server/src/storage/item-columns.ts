// A batch as SQL takes it: one array per column. Column, type and value of each stand in one place, so that no two of
// them can be swapped.
import { arrayBytes } from './array-bytes.ts'
import { arrayLiteral } from './array-literal.ts'

/** By the name in the program: the name in SQL, and its type. */
export type ColumnsOf<Name extends string> = Readonly<Record<Name, readonly [column: string, type: string]>>

export interface ItemColumns<Name extends string> {
  /** `id, status`, for an insert's list of columns. */
  readonly names: string
  /** `item.id, item.status`, for a select. */
  readonly selected: string
  /** `unnest($3::uuid[], $4::text[]) as item (id, status)`. */
  readonly from: string
  /** The same with the place of each item in the batch, from 1, as a column: `… with ordinality as item (id, status, place)`. */
  readonly fromInOrder: string
  /** The same with lists that the statement itself has made beside them, which are columns of `row` under these names. */
  fromBeside(row: string, lists: readonly string[]): string
  /** `status = item.status`, for an update, without those that only find or check the row. */
  assigned(except: readonly Name[]): string
  /** One array per parameter of `from`, as PostgreSQL reads it or as the driver does. */
  values(items: readonly Readonly<Record<Name, unknown>>[]): unknown[]
}

/** `first` is the number of the first parameter; those before it are the statement's own. */
export function itemColumns<Name extends string>(first: number, columns: ColumnsOf<Name>): ItemColumns<Name> {
  const names = Object.keys(columns) as Name[]
  const inSql = names.map((name) => columns[name][0])
  const parameters = names.map((name, index) => `$${first + index}::${columns[name][1]}[]`)
  const arrays = `unnest(${parameters.join(', ')})`
  return {
    names: inSql.join(', '),
    selected: inSql.map((column) => `item.${column}`).join(', '),
    from: `${arrays} as item (${inSql.join(', ')})`,
    fromInOrder: `${arrays} with ordinality as item (${inSql.join(', ')}, place)`,
    fromBeside: (row, lists) => {
      const all = [...parameters, ...lists.map((list) => `${row}.${list}`)].join(', ')
      return `unnest(${all}) with ordinality as item (${[...inSql, ...lists].join(', ')}, place)`
    },
    assigned: (except) =>
      names
        .filter((name) => !except.includes(name))
        .map((name) => `${columns[name][0]} = item.${columns[name][0]}`)
        .join(', '),
    values: (items) =>
      names.map((name) => {
        const column = items.map((item) => item[name])
        return asParameter(column, columns[name][1])
      }),
  }
}

export interface ItemList {
  /** `unnest($3::uuid[]) as item (id)`. */
  readonly from: string
  /** The parameter, as PostgreSQL reads it or as the driver does. */
  value(items: readonly unknown[]): unknown
}

/** In PostgreSQL's own form where there is one, else as its text, and what only the driver knows as it is. */
function asParameter(column: readonly unknown[], type: string): unknown {
  return arrayBytes(column, type) ?? arrayLiteral(column, type) ?? column
}

/** A batch of which one thing is known, such as the ids of payouts to be looked up one by one (decision 0359). */
export function itemList(parameter: number, column: string, type: string): ItemList {
  return {
    from: `unnest($${parameter}::${type}[]) as item (${column})`,
    value: (items) => asParameter(items, type),
  }
}
