// The road to live: the same six steps in both environments, each ticked when it has really been done.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { isActiveKey } from '../../keys/active-key.ts'
import { isNotOpen } from '../../app/no-live-bank.tsx'
import { useScope, useSession } from '../../app/session.ts'
import { isZero } from '../../format/money.ts'
import {
  balanceQuery,
  complianceQuery,
  keysQuery,
  membersQuery,
  recentPayoutsQuery,
  settingsQuery,
} from '../../server/queries.ts'
import type { ChecklistStep } from './step.ts'

const LIVE = { environment: 'live' } as const

/** The state of live, also while sandbox is shown; null until all of it is known. Before verification there is less to read. */
function useLiveFacts() {
  const scope = useScope()
  const isVerified = useSession().partner.verification_status === 'approved'
  const live = { ...scope, ...LIVE }
  const read = {
    compliance: useQuery(complianceQuery(scope)),
    keys: useQuery(keysQuery(scope)),
    members: useQuery(membersQuery(scope)),
    settings: useQuery(settingsQuery(scope)),
    balance: useQuery({ ...balanceQuery(live), enabled: isVerified }),
    paid: useQuery({ ...recentPayoutsQuery(live, {}, 1), enabled: isVerified }),
  }
  if (Object.values(read).some(({ isLoading }) => isLoading)) return null
  const compliance = read.compliance.data?.business_verification
  const isWaiting = compliance !== undefined && isNotOpen(compliance)
  const keys = read.keys.data?.data ?? []
  const members = read.members.data?.data ?? []
  const settings = read.settings.data
  const balance = read.balance.data
  const paid = read.paid.data?.data ?? []
  return {
    isVerified,
    isWaiting,
    hasNoBank: compliance?.can_start === false && (isWaiting || !isVerified),
    hasKey: keys.some((key) => key.environment === 'live' && isActiveKey(key, new Date())),
    isFunded: paid.length > 0 || (balance !== undefined && !isZero(balance.usdc)),
    // An admin who never signed in does not count: they cannot let anybody in.
    hasTwoAdmins: members.filter(({ role, last_login_at }) => role === 'admin' && last_login_at != null).length > 1,
    hasThreshold: settings?.low_balance_usdc != null,
    hasPaid: paid.length > 0,
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
      isDone: facts.isVerified && !facts.isWaiting,
      link: <Link to="/compliance">{facts.hasNoBank ? 'Whom to ask' : facts.isVerified ? 'See' : 'Start'}</Link>,
    },
    {
      title: 'Name a second admin',
      text: 'So that nobody is locked out when one of you is away.',
      isDone: facts.hasTwoAdmins,
      link: <Link to="/team">Team</Link>,
    },
    {
      title: 'Top up the live wallet',
      text: facts.isVerified && !facts.isWaiting ? 'By bank transfer or in USDC.' : 'After verification.',
      isDone: facts.isFunded,
      link: (
        <Link to="/funding" search={LIVE}>
          Funding
        </Link>
      ),
    },
    {
      title: 'Be told when it runs low',
      text: 'A mail to every admin when the wallet holds less than you say.',
      isDone: facts.hasThreshold,
      link: <Link to="/settings">Settings</Link>,
    },
    {
      title: 'Create a live key',
      text: facts.isVerified ? 'For developers: only if a program sends your payouts.' : 'After verification.',
      isDone: facts.hasKey,
      link: (
        <Link to="/keys" search={LIVE}>
          Live keys
        </Link>
      ),
    },
    {
      title: 'Send the first £1',
      text: 'To an account of your own, and see it arrive.',
      isDone: facts.hasPaid,
      link: (
        <Link to="/payouts/new" search={{ ...LIVE, amount: '1.00' }}>
          New live payout
        </Link>
      ),
    },
  ]
}
