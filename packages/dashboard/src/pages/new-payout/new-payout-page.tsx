import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'

import { Loaded } from '../../app/loaded.tsx'
import { isNotOpen } from '../../app/no-live-bank.tsx'
import { BackLink, buttonClass, NotVerifiedNotice, Page } from '../../app/page.tsx'
import { useEnvironment, useIsAdmin, useIsVerified, useScope, useSession } from '../../app/session.ts'
import { gbp } from '../../format/money.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { Badge, StatusPill } from '../../parts/status-pill.tsx'
import { complianceQuery, recentPayoutsQuery } from '../../server/queries.ts'
import { closeKey, openKey } from './payout-key.ts'
import { PayoutForm } from './payout-form.tsx'

export function NewPayoutPage() {
  const environment = useEnvironment()
  return (
    <Page
      title="New payout"
      heading={
        <span className="flex flex-wrap items-center gap-3">
          New payout {environment === 'live' ? <Badge tone="live">Live</Badge> : null}
        </span>
      }
      back={<BackLink to="/payouts">Payouts</BackLink>}
    >
      <NotVerifiedNotice />
      {/* The form, its key and what was typed belong to one environment. */}
      <Body key={environment} />
    </Page>
  )
}

function Body() {
  const isAdmin = useIsAdmin()
  const isVerified = useIsVerified()
  const { partner } = useSession()
  if (!isAdmin) {
    return (
      <Card>
        <EmptyState icon="eye" title="Only admins send payouts">
          Ask an admin of {partner.name}. You can see every payout in the list.
        </EmptyState>
      </Card>
    )
  }
  return isVerified ? <AfterReload /> : null
}

/** If this form had sent its request before the page was reloaded, first find out what became of it. */
function AfterReload() {
  const scope = useScope()
  const [round, setRound] = useState(0)
  const [{ key, wasSent }] = useState(() => openKey(scope))
  const earlier = useQuery({ ...recentPayoutsQuery(scope, { idempotency_key: key }, 1), enabled: wasSent })
  const startAgain = () => {
    closeKey(scope)
    openKey(scope)
    setRound(round + 1)
  }
  if (!wasSent || round > 0) return <WithLimits key={round} onStartAgain={startAgain} />
  return (
    <Loaded query={earlier}>
      {({ data: [payout] }) =>
        payout === undefined ? (
          <WithLimits onStartAgain={startAgain} />
        ) : (
          <Card>
            <EmptyState icon="check" title={`${gbp(payout.amount_gbp)} to ${payout.recipient.name} was already made`}>
              <p>It was sent before this page was loaded again. It is not sent a second time.</p>
              <StatusPill status={payout.status} />
              <div className="flex flex-wrap justify-center gap-2">
                <Link to="/payouts/$id" params={{ id: payout.id }} className={buttonClass('primary')}>
                  See the payout
                </Link>
                <Button onClick={startAgain}>Make another</Button>
              </div>
            </EmptyState>
          </Card>
        )
      }
    </Loaded>
  )
}

function WithLimits({ onStartAgain }: { onStartAgain: () => void }) {
  const { name, last4, amount, reference } = useSearch({ from: '/inside/payouts/new' })
  const scope = useScope()
  const { environment } = scope
  const compliance = useQuery(complianceQuery(scope))
  return (
    <Loaded query={compliance}>
      {({ account, business_verification }) =>
        // The notice above says why nothing can be sent.
        environment === 'live' && isNotOpen(business_verification) ? null : (
          <PayoutForm
            limits={account.payout_limits_gbp}
            start={{ name, last4, amount, reference }}
            onStartAgain={onStartAgain}
          />
        )
      }
    </Loaded>
  )
}
