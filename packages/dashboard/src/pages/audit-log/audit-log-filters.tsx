import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useId } from 'react'

import { buttonClass } from '../../app/page.tsx'
import { useScope } from '../../app/session.ts'
import { Field } from '../../parts/field.tsx'
import { Segments } from '../../parts/tabs.tsx'
import { keysQuery, membersQuery } from '../../server/queries.ts'
import { type AuditLogSearch, isNarrowed } from './audit-log-filter.ts'

export function AuditLogFilters({ search }: { search: AuditLogSearch }) {
  const navigate = useNavigate({ from: '/audit' })
  const change = (more: AuditLogSearch) => void navigate({ search: (now) => ({ ...now, ...more }), replace: true })
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Segments
        label="What to show"
        value={search.what === 'all' ? 'all' : 'changes'}
        onChange={(value) => change({ what: value === 'all' ? 'all' : undefined })}
        options={[
          { value: 'changes', label: 'Changes' },
          { value: 'all', label: 'Everything' },
        ]}
      />
      <WhoField by={search.by} onChange={(by) => change({ by })} />
      <Field
        label="From"
        type="date"
        value={search.from ?? ''}
        onChange={(event) => change({ from: event.target.value })}
      />
      <Field label="To" type="date" value={search.to ?? ''} onChange={(event) => change({ to: event.target.value })} />
      {isNarrowed(search) ? (
        <Link to="/audit" search={search.what === 'all' ? { what: 'all' } : {}} className={buttonClass('quiet')}>
          Clear filters
        </Link>
      ) : null}
    </div>
  )
}

/** The server compares whole values, so the field offers everybody there is. */
function WhoField({ by, onChange }: { by: string | undefined; onChange: (by: string) => void }) {
  const scope = useScope()
  const people = useQuery(membersQuery(scope)).data?.data ?? []
  const keys = useQuery(keysQuery(scope)).data?.data ?? []
  const id = useId()
  return (
    <div className="w-full sm:w-64">
      <Field
        label="By exactly"
        // A filter that is cleared elsewhere is cleared here.
        key={by}
        defaultValue={by ?? ''}
        placeholder="Whole email, or start of a key"
        list={id}
        onBlur={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
        }}
      />
      <datalist id={id}>
        {people.map(({ email, name }) => (
          <option key={email} value={email} label={name ?? email} />
        ))}
        {keys.map(({ id: keyId, key_prefix, label }) => (
          <option key={keyId} value={key_prefix} label={label ?? key_prefix} />
        ))}
      </datalist>
    </div>
  )
}
