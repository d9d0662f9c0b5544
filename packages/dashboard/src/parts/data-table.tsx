import {
  createSortedRowModel,
  rowSortingFeature,
  type ColumnDef,
  type SortDirection,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { type ReactNode, useMemo } from 'react'

import { Icon } from './icon.tsx'
import { useIsNarrow, useIsWide } from './use-media.ts'

export interface Column<T> {
  readonly id: string
  readonly header: string
  readonly cell: (row: T) => ReactNode
  /** Given, the column can be sorted by it. Only for lists that are here whole. */
  readonly sortBy?: (row: T) => string | bigint | number
  readonly isRight?: boolean
}

interface DataTableProps<T> {
  /** What the table holds, for screen readers. */
  readonly caption: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly rowId: (row: T) => string
  /** The same row on two lines, for narrow screens. */
  readonly narrow: (row: T) => ReactNode
  /** More columns than a tablet has room for: there, too, rows are shown on two lines. */
  readonly isBroad?: boolean
  readonly onRowClick?: (row: T) => void
  readonly selectedId?: string | undefined
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() })

export function DataTable<T extends object>(props: DataTableProps<T>) {
  const isNarrow = useIsNarrow()
  const isWide = useIsWide()
  return isNarrow || (props.isBroad === true && !isWide) ? <NarrowList {...props} /> : <WideTable {...props} />
}

function NarrowList<T>({ caption, rows, rowId, narrow }: DataTableProps<T>) {
  return (
    <ul aria-label={caption} className="-mt-px divide-y divide-line border-t border-line">
      {rows.map((row) => (
        <li key={rowId(row)} className="px-5 py-3">
          {narrow(row)}
        </li>
      ))}
    </ul>
  )
}

function compare(a: string | bigint | number, b: string | bigint | number): number {
  if (typeof a === 'string' && typeof b === 'string') return a.localeCompare(b, 'en-GB')
  return a < b ? -1 : a > b ? 1 : 0
}

function useSortedRows<T extends object>({ columns, rows, rowId }: DataTableProps<T>) {
  const definitions = useMemo(
    () =>
      columns.map(({ id, sortBy }): ColumnDef<typeof features, T> => ({
        id,
        accessorFn: (row) => sortBy?.(row) ?? '',
        enableSorting: sortBy !== undefined,
        sortFn: (a, b) => compare(sortBy?.(a.original) ?? '', sortBy?.(b.original) ?? ''),
      })),
    [columns],
  )
  return useTable({ features, columns: definitions, data: rows, getRowId: rowId })
}

function WideTable<T extends object>(props: DataTableProps<T>) {
  const { caption, columns, onRowClick, selectedId } = props
  const table = useSortedRows(props)
  return (
    <table className="-mt-px w-full text-left">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-y border-line bg-paper text-sm text-muted">
          {columns.map((column) => (
            <HeaderCell
              key={column.id}
              column={column}
              direction={table.getColumn(column.id)?.getIsSorted() ?? false}
              onSort={() => table.getColumn(column.id)?.toggleSorting()}
            />
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {table.getRowModel().rows.map(({ id, original }) => (
          <tr
            key={id}
            data-row={id}
            className={`${onRowClick === undefined ? '' : 'cursor-pointer'} ${selectedId === id ? 'bg-accent-soft' : onRowClick === undefined ? '' : 'hover:bg-paper'}`}
            onClick={onRowClick === undefined ? undefined : () => onRowClick(original)}
          >
            {columns.map((column) => (
              <td
                key={column.id}
                className={`h-10 px-3 py-2 first:pl-5 last:pr-5 ${column.isRight === true ? 'num text-right whitespace-nowrap' : ''}`}
              >
                {column.cell(original)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface HeaderProps<T> {
  readonly column: Column<T>
  readonly direction: false | SortDirection
  readonly onSort: () => void
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const
const SORT_ICON = { asc: 'sortUp', desc: 'sortDown' } as const

function HeaderCell<T>({ column, direction, onSort }: HeaderProps<T>) {
  const { header, sortBy, isRight } = column
  const cell = `px-3 py-2 font-medium whitespace-nowrap first:pl-5 last:pr-5 ${isRight === true ? 'text-right' : ''}`
  if (sortBy === undefined) {
    return (
      <th scope="col" className={cell}>
        {header}
      </th>
    )
  }
  return (
    <th scope="col" aria-sort={direction === false ? 'none' : ARIA_SORT[direction]} className={cell}>
      <button
        type="button"
        onClick={onSort}
        className={`-mx-1 inline-flex items-center gap-1 rounded px-1 hover:text-ink ${isRight === true ? 'flex-row-reverse' : ''}`}
      >
        {header}
        <Icon
          name={direction === false ? 'sort' : SORT_ICON[direction]}
          size={12}
          className={direction === false ? 'opacity-40' : ''}
        />
      </button>
    </th>
  )
}
