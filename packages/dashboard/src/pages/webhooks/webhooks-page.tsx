import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'

import { Loaded } from '../../app/loaded.tsx'
import { NotVerifiedNotice, Page } from '../../app/page.tsx'
import { useIsAdmin, useScope, useSession } from '../../app/session.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { WhoCan } from '../../parts/states.tsx'
import { endpointsQuery } from '../../server/webhook-queries.ts'
import { AddEndpoint } from './add-endpoint.tsx'
import { EndpointTable } from './endpoint-table.tsx'
import { NoEndpoints } from './no-endpoints.tsx'

const LIMIT = 10

export function WebhooksPage() {
  const scope = useScope()
  const isAdmin = useIsAdmin()
  const { create } = useSearch({ from: '/inside/webhooks' })
  const navigate = useNavigate({ from: '/webhooks' })
  const endpoints = useQuery(endpointsQuery(scope))
  const show = (next: 'yes' | undefined) =>
    void navigate({ search: (now) => ({ ...now, create: next }), replace: true, resetScroll: false })
  const count = endpoints.data?.data.length ?? 0
  return (
    <Page
      title="Webhooks"
      sub={`What happens in ${scope.environment}, sent to your program as it happens, and signed.`}
      actions={<Actions count={count} onAdd={() => show('yes')} />}
    >
      <NotVerifiedNotice />
      <Card flush className="overflow-hidden">
        <Loaded query={endpoints}>
          {({ data }) =>
            data.length === 0 ? (
              <NoEndpoints {...(isAdmin ? { onAdd: () => show('yes') } : {})} />
            ) : (
              <EndpointTable endpoints={data} />
            )
          }
        </Loaded>
      </Card>
      {count >= LIMIT ? (
        <p className="text-sm text-muted">There are ten endpoints, which is the limit. Delete one to add another.</p>
      ) : null}
      {create !== undefined && isAdmin ? <AddEndpoint onClose={() => show(undefined)} /> : null}
    </Page>
  )
}

function Actions({ count, onAdd }: { count: number; onAdd: () => void }) {
  const { partner } = useSession()
  if (!useIsAdmin()) return <WhoCan>Only admins change endpoints. Ask an admin of {partner.name}.</WhoCan>
  if (count === 0) return null
  return (
    <Button kind="primary" icon="plus" disabled={count >= LIMIT} onClick={onAdd}>
      Add endpoint
    </Button>
  )
}
