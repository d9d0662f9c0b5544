import type { Compliance } from '@kestrel/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { Contact } from '../../app/contact.tsx'
import { cannotStart, isNotOpen, isOnlyVouchedFor, NoLiveBank, NotOpenYet } from '../../app/no-live-bank.tsx'
import { Loaded } from '../../app/loaded.tsx'
import { buttonClass, linkClass, Page } from '../../app/page.tsx'
import { useIsAdmin, useScope, useSession } from '../../app/session.ts'
import { useAction } from '../../app/use-action.ts'
import { verificationWords } from './verification-words.ts'
import { gbp } from '../../format/money.ts'
import { Button } from '../../parts/button.tsx'
import { Card, Fact, Facts } from '../../parts/card.tsx'
import { Icon } from '../../parts/icon.tsx'
import { WhoCan } from '../../parts/states.tsx'
import { Badge } from '../../parts/status-pill.tsx'
import { startVerification } from '../../server/account.ts'
import { complianceQuery, SESSION } from '../../server/queries.ts'
import { currentStep, OPENING, type StepState, stepsWith } from './steps.ts'

export function CompliancePage() {
  const compliance = useQuery(complianceQuery(useScope()))
  useSessionFollows(compliance.data?.business_verification.status)
  return (
    <Page title="Compliance" sub="Who checked what, and what this account may do.">
      <Loaded query={compliance}>
        {(found) => (
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <Verification compliance={found} />
            <AccountFacts compliance={found} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

/** The bank decides at any time. When this page learns it first, the session is read again for all pages. */
function useSessionFollows(status: string | undefined): void {
  const client = useQueryClient()
  const { verification_status: known } = useSession().partner
  useEffect(() => {
    if (status !== undefined && status !== known) void client.invalidateQueries({ queryKey: SESSION })
  }, [client, status, known])
}

function Verification({ compliance: { business_verification } }: { compliance: Compliance }) {
  const { provider_status, terms_url } = business_verification
  const { current, badge, tone } = standing(business_verification)
  return (
    <Card title="Business verification" action={<Badge tone={tone}>{badge}</Badge>}>
      <ol className="mb-4">
        {stepsWith(current).map(({ title, text, state }) => (
          <li key={title} aria-current={state === 'current' ? 'step' : undefined} className="flex gap-3 pb-4">
            <StepMark state={state} />
            <div>
              <p className={`font-medium ${state === 'later' ? 'text-muted' : ''}`}>{title}</p>
              <p className="text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ol>
      <WhatNext verification={business_verification} />
      <Missing verification={business_verification} />
      <WayOn verification={business_verification} />
      {provider_status === null ? null : <p className="mt-3 text-sm text-muted">The bank says: {provider_status}</p>}
      {terms_url === null ? null : (
        <p className="mt-3">
          <a href={terms_url} target="_blank" rel="noopener noreferrer" className={linkClass}>
            Terms of the bank <Icon name="external" size={12} className="inline" />
          </a>
        </p>
      )}
    </Card>
  )
}

/** A business that only the operator vouched for has done none of the bank's steps yet. */
function standing(verification: Compliance['business_verification']) {
  const { word: badge, tone } = verificationWords(verification.status)
  if (isOnlyVouchedFor(verification)) return { current: 0, badge: 'Waiting for the bank', tone: 'warn' as const }
  return { current: isNotOpen(verification) ? OPENING : currentStep(verification.status), badge, tone }
}

function WhatNext({ verification }: { verification: Compliance['business_verification'] }) {
  const words = verificationWords(verification.status)
  if (cannotStart(verification)) return <NoLiveBank />
  if (isNotOpen(verification)) {
    return (
      <div className="mb-4 last:mb-0">
        <NotOpenYet verification={verification} />
      </div>
    )
  }
  return (
    <p className="mb-4">
      {words.next} {words.isStuck === true ? <Contact /> : null}
    </p>
  )
}

/** The bank's wishes, one by one: nobody should have to guess why live is not open. */
function Missing({ verification }: { verification: Compliance['business_verification'] }) {
  const { missing = [] } = verification
  // A wallet that is not open has a notice of its own.
  if (missing.length === 0 || isNotOpen(verification)) return null
  return (
    <div className="mb-4">
      <p className="font-medium">Still missing</p>
      <ul className="list-disc pl-5 text-muted">
        {missing.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </div>
  )
}

function StepMark({ state }: { state: StepState }) {
  const looks = {
    done: 'bg-ok-soft text-ok',
    current: 'bg-ink text-on-ink',
    later: 'border border-dashed border-control text-transparent',
  }
  return (
    <span className={`flex size-6 shrink-0 items-center justify-center rounded-full ${looks[state]}`}>
      <Icon name={state === 'done' ? 'check' : 'dot'} size={12} />
      <span className="sr-only">{state === 'done' ? 'Done:' : state === 'current' ? 'Now:' : 'Later:'}</span>
    </span>
  )
}

/** The statuses in which it is the business's turn. */
const OPEN: ReadonlySet<string> = new Set(['not_started', 'in_progress', 'rejected'])

/** Never a dead end: a button for whoever can act, a sentence for whoever cannot. */
function WayOn({ verification }: { verification: Compliance['business_verification'] }) {
  const isAdmin = useIsAdmin()
  const { partner } = useSession()
  const { environment } = useScope()
  const act = useAction(() => startVerification(environment), {
    done: 'Verification has started.',
    refresh: ['compliance'],
    touchesSession: true,
  })
  const { status, continue_url } = verification
  const canGoOn = OPEN.has(status) || (isOnlyVouchedFor(verification) && verification.can_start === true)
  if (cannotStart(verification) || !canGoOn) return null
  if (!isAdmin) return <WhoCan>Only admins do this. Ask an admin of {partner.name}.</WhoCan>
  if (continue_url !== null) {
    return (
      <a href={continue_url} target="_blank" rel="noopener noreferrer" className={buttonClass('primary')}>
        Continue with the bank
        <Icon name="external" />
      </a>
    )
  }
  return (
    <Button kind="primary" busy={act.isPending ? 'Starting…' : false} onClick={() => act.mutate(undefined)}>
      {status === 'rejected' ? 'Start again' : 'Start verification'}
    </Button>
  )
}

const SCREENING: Readonly<Record<string, string>> = {
  clear: 'Clear',
  review: 'Being reviewed',
  blocked: 'Blocked',
}

function AccountFacts({ compliance: { account, screening } }: { compliance: Compliance }) {
  const { payout_limits_gbp: limits } = account
  return (
    <Card title="This account">
      <Facts>
        <Fact term="Payouts">
          {gbp(limits.min)} to {gbp(limits.max_per_payout)} each
        </Fact>
        <Fact term="Countries">{account.enabled_countries.join(', ')}</Fact>
        <Fact term="Wallet">{account.isolated_wallet ? 'Its own, shared with nobody' : 'Shared'}</Fact>
        <Fact term="Chain">{account.wallet_chain ?? 'Not connected yet'}</Fact>
        <Fact term="Screening">{SCREENING[screening] ?? screening}</Fact>
        <Fact term="Billing email">{account.billing_email ?? <span className="text-muted">None</span>}</Fact>
        <Fact term="Contact email">{account.contact_email ?? <span className="text-muted">None</span>}</Fact>
      </Facts>
    </Card>
  )
}
