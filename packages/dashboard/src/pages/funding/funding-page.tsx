import type { Funding } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { Loaded } from '../../app/loaded.tsx'
import { NotVerifiedNotice, Page } from '../../app/page.tsx'
import { useEnvironment, useIsAdmin, useScope, useSession } from '../../app/session.ts'
import { usdc } from '../../format/money.ts'
import { Button } from '../../parts/button.tsx'
import { Card, Notice } from '../../parts/card.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState, WhoCan } from '../../parts/states.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Time } from '../../parts/time.tsx'
import { fundingQuery } from '../../server/queries.ts'
import { BalanceCard } from '../../wallet/balance-card.tsx'
import { BankTransfer, OnChain } from './ways-in.tsx'
import { LowBalance } from './low-balance.tsx'
import { Runway } from './runway-card.tsx'
import { TestMoneyDialog } from './test-money.tsx'

export function FundingPage() {
  const funding = useQuery(fundingQuery(useScope()))
  return (
    <Page title="Funding" sub="Your wallet holds USDC. Top it up in pounds or in USDC." actions={<Actions />}>
      <NotVerifiedNotice />
      <div className="grid gap-4 md:grid-cols-2">
        <BalanceCard />
        <Runway />
      </div>
      <Loaded query={funding}>
        {(found) => (
          <>
            <Card title="Top up">
              <Ways funding={found} />
            </Card>
            <Card flush title="What arrived" className="overflow-hidden">
              <TopUps topUps={found.top_ups} />
            </Card>
          </>
        )}
      </Loaded>
      <LowBalance />
    </Page>
  )
}

function Actions() {
  const [isOpen, setOpen] = useState(false)
  const environment = useEnvironment()
  const isAdmin = useIsAdmin()
  const { partner } = useSession()
  if (environment === 'live') return null
  if (!isAdmin) return <WhoCan>Only admins add test money. Ask an admin of {partner.name}.</WhoCan>
  return (
    <>
      <Button kind="primary" icon="flask" onClick={() => setOpen(true)}>
        Add test money
      </Button>
      {isOpen ? <TestMoneyDialog onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function Ways({ funding: { bank_transfer, onchain, missing } }: { funding: Funding }) {
  if (bank_transfer === null && onchain === null) {
    return (
      <EmptyState icon="funding" title="No bank is connected yet">
        {missing.map((each) => (
          <p key={each}>{each}</p>
        ))}
        <p>Account details appear here as soon as the bank has opened the account of this business.</p>
      </EmptyState>
    )
  }
  return (
    <>
      {bank_transfer === null ? <NoPoundsYet /> : null}
      <Tabs
        label="Ways to top up"
        tabs={[
          ...(bank_transfer === null
            ? []
            : [{ id: 'bank', label: 'Bank transfer', content: <BankTransfer details={bank_transfer} /> }]),
          ...(onchain === null ? [] : [{ id: 'usdc', label: 'USDC', content: <OnChain details={onchain} /> }]),
        ]}
      />
    </>
  )
}

/** The bank opens the account in pounds later than the wallet, or not at all yet. */
function NoPoundsYet() {
  return (
    <div className="mb-4">
      <Notice tone="warn" title="Bank transfers are not possible yet">
        <p>
          The bank has opened no account in pounds for this business so far. It appears here by itself once it has; USDC
          can be sent now.
        </p>
      </Notice>
    </div>
  )
}

type TopUp = Funding['top_ups'][number]

const SOURCES = { bank: 'Bank transfer', chain: 'USDC', operator: 'Credit' }

const COLUMNS: readonly Column<TopUp>[] = [
  { id: 'at', header: 'Received', cell: ({ at }) => <Time at={at} /> },
  { id: 'source', header: 'Through', cell: ({ source }) => SOURCES[source] },
  {
    id: 'id',
    header: 'About',
    cell: ({ id, note }) =>
      note === null ? (
        <span className="font-mono text-sm text-muted">{id}</span>
      ) : (
        <span className="text-muted">{note}</span>
      ),
  },
  { id: 'usdc', header: 'Amount', isRight: true, cell: (row) => <span className="font-medium">{usdc(row.usdc)}</span> },
]

function TopUps({ topUps }: { topUps: readonly TopUp[] }) {
  if (topUps.length === 0) {
    return (
      <EmptyState title="Nothing has arrived yet">
        A deposit shows here within a minute after the bank tells us of it.
      </EmptyState>
    )
  }
  return (
    <DataTable
      caption="Deposits"
      columns={COLUMNS}
      rows={topUps}
      rowId={({ id }) => id}
      narrow={(topUp) => (
        <div className="flex justify-between gap-3">
          <span className="min-w-0 wrap-anywhere">
            {SOURCES[topUp.source]}
            <span className="block text-sm text-muted">
              <Time at={topUp.at} />
              {topUp.note === null ? '' : ` · ${topUp.note}`}
            </span>
          </span>
          <span className="num shrink-0 font-medium">{usdc(topUp.usdc)}</span>
        </div>
      )}
    />
  )
}
