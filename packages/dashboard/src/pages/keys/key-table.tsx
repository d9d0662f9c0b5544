import type { ApiKey } from '@kestrel/contract'
import { useMemo } from 'react'

import { isActiveKey } from '../../keys/active-key.ts'
import { useNow } from '../../app/use-now.ts'
import { Button } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Badge } from '../../parts/status-pill.tsx'
import { Time } from '../../parts/time.tsx'
import { relative } from '../../format/dates.ts'
import { limitsInWords } from './limits-draft.ts'

type OnPick = (dialog: 'limits' | 'rotate' | 'revoke', chosen: ApiKey) => void

export function KeyTable({ keys, onPick }: { keys: readonly ApiKey[]; onPick?: OnPick }) {
  const columns = useMemo(() => columnsOf(onPick), [onPick])
  return (
    <DataTable
      caption="API keys"
      columns={columns}
      rows={keys}
      rowId={({ id }) => id}
      narrow={(key) => (
        <div className="grid gap-1.5">
          <div className="flex justify-between gap-3">
            <Name apiKey={key} />
            <KeyState apiKey={key} />
          </div>
          <p className="text-sm text-muted">
            {key.last_used_at === null ? null : 'Used '}
            <LastUsed apiKey={key} />
          </p>
          <RowActions apiKey={key} onPick={onPick} />
        </div>
      )}
    />
  )
}

function columnsOf(onPick: OnPick | undefined): readonly Column<ApiKey>[] {
  return [
    { id: 'label', header: 'Label', cell: (key) => <Name apiKey={key} /> },
    {
      id: 'created',
      header: 'Created',
      cell: (key) => (
        <span className="wrap-anywhere text-muted">
          <Time at={key.created_at} as="day" />
          {key.created_by === null ? '' : ` by ${key.created_by}`}
        </span>
      ),
    },
    { id: 'used', header: 'Last used', cell: (key) => <LastUsed apiKey={key} /> },
    { id: 'state', header: 'Status', cell: (key) => <KeyState apiKey={key} /> },
    ...(onPick === undefined
      ? []
      : [
          {
            id: 'actions',
            header: 'Actions',
            isRight: true,
            cell: (key: ApiKey) => <RowActions apiKey={key} onPick={onPick} />,
          },
        ]),
  ]
}

function Name({ apiKey }: { apiKey: ApiKey }) {
  return (
    <span className="min-w-0 wrap-anywhere">
      <span className="block font-medium">{apiKey.label ?? 'Without a label'}</span>
      <span className="block font-mono text-xs text-muted">{apiKey.key_prefix}…</span>
      <Limits apiKey={apiKey} />
    </span>
  )
}

function Limits({ apiKey }: { apiKey: ApiKey }) {
  const words = limitsInWords(apiKey)
  return words === null ? null : <span className="num block text-sm text-muted">{words}</span>
}

function LastUsed({ apiKey }: { apiKey: ApiKey }) {
  if (apiKey.last_used_at === null) return <span className="text-muted">Never used</span>
  return (
    <>
      <Time at={apiKey.last_used_at} as="ago" />
      {apiKey.last_used_ip === null ? null : (
        <span className="num block text-sm text-muted">from {apiKey.last_used_ip}</span>
      )}
    </>
  )
}

/** A key that is about to stop is drawn anew every second, so that its "Stops in …" stays true. */
const TICK_MS = 1_000

function KeyState({ apiKey }: { apiKey: ApiKey }) {
  const now = useNow(apiKey.expires_at === null ? null : TICK_MS)
  if (apiKey.revoked_at !== null) return <Badge tone="quiet">Revoked</Badge>
  if (apiKey.expires_at === null) return <Badge tone="ok">Active</Badge>
  if (!isActiveKey(apiKey, now))
    return <Badge tone="quiet">{apiKey.replaced_by === null ? 'Expired' : 'Replaced'}</Badge>
  return <Badge tone="warn" icon="clock">{`Stops ${relative(apiKey.expires_at, now)}`}</Badge>
}

function RowActions({ apiKey, onPick }: { apiKey: ApiKey; onPick: OnPick | undefined }) {
  if (onPick === undefined || !isActiveKey(apiKey, new Date())) return null
  const name = apiKey.label ?? apiKey.key_prefix
  return (
    <span className="inline-flex gap-1">
      <Button kind="quiet" aria-label={`Limits of ${name}`} onClick={() => onPick('limits', apiKey)}>
        Limits
      </Button>
      {apiKey.replaced_by === null ? (
        <Button kind="quiet" aria-label={`Rotate ${name}`} onClick={() => onPick('rotate', apiKey)}>
          Rotate
        </Button>
      ) : null}
      <Button kind="quiet" className="text-bad!" aria-label={`Revoke ${name}`} onClick={() => onPick('revoke', apiKey)}>
        Revoke
      </Button>
    </span>
  )
}
