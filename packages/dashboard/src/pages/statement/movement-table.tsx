import type { Statement } from '@kestrel/contract'
import { Link } from '@tanstack/react-router'

import { movementWords } from './movement-words.ts'
import { grouped } from '../../format/money.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Time } from '../../parts/time.tsx'

type Movement = Statement['data'][number] & { readonly place: number }

/** The oldest first, as on paper: each balance follows from the one above. */
export function MovementTable({ movements }: { movements: Statement['data'] }) {
  return (
    <DataTable
      caption="Movements of the wallet"
      columns={COLUMNS}
      rows={movements.map((movement, place) => ({ ...movement, place }))}
      rowId={({ place }) => String(place)}
      narrow={(movement) => <NarrowMovement movement={movement} />}
    />
  )
}

const COLUMNS: readonly Column<Movement>[] = [
  { id: 'at', header: 'When', cell: ({ at }) => <Time at={at} /> },
  { id: 'kind', header: 'What', cell: ({ kind }) => movementWords(kind) },
  { id: 'whom', header: 'Recipient or deposit', cell: (movement) => <Whom movement={movement} /> },
  { id: 'in', header: 'In', isRight: true, cell: ({ in_usdc }) => (in_usdc === null ? '' : grouped(in_usdc)) },
  { id: 'out', header: 'Out', isRight: true, cell: ({ out_usdc }) => (out_usdc === null ? '' : grouped(out_usdc)) },
  {
    id: 'balance',
    header: 'Balance',
    isRight: true,
    cell: ({ balance_usdc }) => <span className="font-medium">{grouped(balance_usdc)}</span>,
  },
]

function Whom({ movement: { payout_id, deposit_id, recipient_name, detail } }: { movement: Movement }) {
  const under = detail === null ? null : <span className="line-clamp-1 text-sm break-all text-muted">{detail}</span>
  if (payout_id === null) {
    return deposit_id === null ? (
      under
    ) : (
      <span title={`Deposit ${deposit_id}`}>{detail ?? `Deposit ${deposit_id}`}</span>
    )
  }
  return (
    <>
      <Link
        to="/payouts/$id"
        params={{ id: payout_id }}
        data-row-link
        className="font-medium wrap-anywhere hover:underline"
      >
        {recipient_name ?? 'Unknown recipient'}
      </Link>
      {under}
    </>
  )
}

function NarrowMovement({ movement }: { movement: Movement }) {
  const { at, kind, in_usdc, out_usdc, balance_usdc, payout_id, recipient_name, detail } = movement
  const name = recipient_name ?? detail ?? movementWords(kind)
  return (
    <>
      <span className="flex justify-between gap-3">
        <span className="min-w-0 truncate font-medium">
          {payout_id === null ? (
            name
          ) : (
            <Link to="/payouts/$id" params={{ id: payout_id }} className="block truncate touch:-my-2 touch:py-2">
              {name}
            </Link>
          )}
        </span>
        <span className="num font-medium whitespace-nowrap">
          {in_usdc === null ? `−${grouped(out_usdc ?? '0.00')}` : `+${grouped(in_usdc)}`}
        </span>
      </span>
      <span className="num mt-1 flex items-center justify-between gap-3 text-sm text-muted">
        <span className="min-w-0 truncate">
          {movementWords(kind)} · <Time at={at} />
        </span>
        <span className="whitespace-nowrap">
          <span className="sr-only">Balance </span>
          {grouped(balance_usdc)}
        </span>
      </span>
    </>
  )
}
