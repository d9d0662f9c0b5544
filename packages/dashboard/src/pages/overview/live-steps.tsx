// The road to live: the same seven steps in both environments, each ticked when it has really been done.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { isNotOpen } from '../../app/no-live-bank.tsx'
import { useScope, useSession } from '../../app/session.ts'
import { complianceQuery, goLiveQuery } from '../../server/queries.ts'
import { type ChecklistStep, doneSteps } from './step.ts'

const LIVE = { environment: 'live' } as const

/** The state of live, also while sandbox is shown; null until all of it is known. */
function useLiveFacts() {
  const scope = useScope()
  const isVerified = useSession().partner.verification_status === 'approved'
  const [complianceRead, stepsRead] = [useQuery(complianceQuery(scope)), useQuery(goLiveQuery(scope))]
  if (complianceRead.isLoading || stepsRead.isLoading) return null
  const compliance = complianceRead.data?.business_verification
  const isWaiting = compliance !== undefined && isNotOpen(compliance)
  return {
    isVerified,
    isWaiting,
    hasNoBank: compliance?.can_start === false && (isWaiting || !isVerified),
    done: doneSteps(stepsRead.data ?? { steps: [] }),
  }
}

/** Null until it is known which of them are done. */
export function useLiveSteps(): readonly ChecklistStep[] | null {
  const facts = useLiveFacts()
  return facts === null ? null : stepsFor(facts)
}

function stepsFor(facts: NonNullable<ReturnType<typeof useLiveFacts>>): readonly ChecklistStep[] {
  return [
    {
      title: 'Verify your business',
      text: facts.hasNoBank
        ? 'This installation has no live bank yet. Whoever runs it connects one.'
        : 'Opens live: real money, real bank accounts.',
      isDone: facts.done.has('verification'),
      link: <Link to="/compliance">{facts.hasNoBank ? 'Whom to ask' : facts.isVerified ? 'See' : 'Start'}</Link>,
    },
    {
      title: 'Name a second admin',
      text: 'So that nobody is locked out when one of you is away.',
      isDone: facts.done.has('two_admins'),
      link: <Link to="/team">Team</Link>,
    },
    {
      title: 'Top up the live wallet',
      text: facts.isVerified && !facts.isWaiting ? 'By bank transfer or in USDC.' : 'After verification.',
      isDone: facts.done.has('funding'),
      link: (
        <Link to="/funding" search={LIVE}>
          Funding
        </Link>
      ),
    },
    {
      title: 'Be told when it runs low',
      text: 'A mail to every admin when the wallet holds less than you say.',
      isDone: facts.done.has('low_balance_warning'),
      link: <Link to="/settings">Settings</Link>,
    },
    {
      title: 'Create a live key',
      text: facts.isVerified ? 'For developers: only if a program sends your payouts.' : 'After verification.',
      isDone: facts.done.has('live_key'),
      link: (
        <Link to="/keys" search={LIVE}>
          Live keys
        </Link>
      ),
    },
    {
      title: 'Give a key limits',
      text: 'How much it may pay at once, per day and per month, and from where.',
      isDone: facts.done.has('limited_key'),
      link: <Link to="/keys">API keys</Link>,
    },
    {
      title: 'Send the first £1',
      text: 'To an account of your own, and see it arrive.',
      isDone: facts.done.has('first_live_payout'),
      link: (
        <Link to="/payouts/new" search={{ ...LIVE, amount: '1.00' }}>
          New live payout
        </Link>
      ),
    },
  ]
}
