import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'

import { Loaded } from '../../app/loaded.tsx'
import { buttonClass, Page } from '../../app/page.tsx'
import { useScope } from '../../app/session.ts'
import { Card } from '../../parts/card.tsx'
import { Icon } from '../../parts/icon.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { activityExportAddress } from '../../server/account.ts'
import { activityPagesQuery } from '../../server/queries.ts'
import { type AuditLogSearch, auditLogFilter, isNarrowed } from './audit-log-filter.ts'
import { AuditLogFilters } from './audit-log-filters.tsx'
import { AuditLogTable } from './audit-log-table.tsx'

export function AuditLogPage() {
  const { by, what, from, to } = useSearch({ from: '/inside/audit' })
  const search = useMemo(() => ({ by, what, from, to }), [by, what, from, to])
  const filter = useMemo(() => auditLogFilter(search), [search])
  const pages = useInfiniteQuery(activityPagesQuery(useScope(), filter))
  const entries = useMemo(() => pages.data?.pages.flatMap((page) => page.data) ?? [], [pages.data])
  return (
    <Page
      title="Audit log"
      sub="Who did what, in sandbox and live, through the API and the dashboard. Entries cannot be changed or deleted."
      actions={
        <a href={activityExportAddress(filter)} download className={buttonClass()}>
          <Icon name="download" />
          Export CSV
        </a>
      }
    >
      <AuditLogFilters search={search} />
      <Card flush className="overflow-hidden">
        <Loaded query={pages}>
          {() => (entries.length === 0 ? <Nothing search={search} /> : <AuditLogTable entries={entries} />)}
        </Loaded>
        <LoadMore pages={pages}>Load older entries</LoadMore>
      </Card>
    </Page>
  )
}

function Nothing({ search }: { search: AuditLogSearch }) {
  if (!isNarrowed(search)) {
    return (
      <EmptyState icon="audit" title="Nothing has happened yet">
        Every change, here and through the API, is kept in this log.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon="search" title="No entries match these filters">
      <p>“By” looks for exactly what is written: a whole email, or the start of a key as the log shows it.</p>
      <Link to="/audit" className={buttonClass()}>
        Clear filters
      </Link>
    </EmptyState>
  )
}
