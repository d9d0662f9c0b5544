import { WENT_WRONG } from '@kestrel/contract/payout-status'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { isActiveKey } from '../../keys/active-key.ts'
import { useEnvironment, useScope, useSession } from '../../app/session.ts'
import { addDays, londonDay, londonMidnight } from '../../format/dates.ts'
import { isMore, usdc } from '../../format/money.ts'
import { count } from '../../format/people.ts'
import { Card } from '../../parts/card.tsx'
import { Icon } from '../../parts/icon.tsx'
import { balanceQuery, followedSummaryQuery, keysQuery, settingsQuery } from '../../server/queries.ts'
import { type Runway, fitWords, runwayWords, topUpWords } from '../../wallet/runway.ts'

const SHORT_DAYS = 7
const UNUSED_DAYS = 90

interface Concern {
  readonly id: string
  readonly text: ReactNode
  readonly link: ReactNode
}

/** Only there when there is something to do. */
export function NeedsAttention() {
  const concerns = [...useUnsuccessful(), ...useLowBalance(), ...useUnusedKeys(), ...useVerification()]
  if (concerns.length === 0) return null
  return (
    <Card title="Needs attention">
      <ul className="divide-y divide-line">
        {concerns.map(({ id, text, link }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-2">
            <span className="flex items-start gap-2">
              <Icon name="alert" className="mt-0.5 text-warn" />
              <span>{text}</span>
            </span>
            <span className="font-medium text-accent">{link}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const WENT_WRONG_FILTER = [...WENT_WRONG].join(',')

function useUnsuccessful(): Concern[] {
  const from = addDays(londonDay(new Date()), -SHORT_DAYS)
  const summary = useQuery(
    followedSummaryQuery(useScope(), { status: WENT_WRONG_FILTER, ended_from: londonMidnight(from) }),
  )
  const found = summary.data?.count ?? 0
  if (found === 0) return []
  return [
    {
      id: 'unsuccessful',
      text: `${count(found, 'payout')} failed or came back in the last 7 days.`,
      link: (
        <Link to="/payouts" search={{ status: WENT_WRONG_FILTER, ended_from: from }} className="hover:underline">
          See which
        </Link>
      ),
    },
  ]
}

function useLowBalance(): Concern[] {
  const scope = useScope()
  const balance = useQuery(balanceQuery(scope)).data
  const settings = useQuery(settingsQuery(scope))
  if (balance === undefined || settings.isLoading) return []
  const threshold = settings.data?.low_balance_usdc ?? null
  const { runway } = balance
  const isBelow = threshold !== null && isMore(threshold, balance.usdc)
  if (!isBelow && (runway === null || runway.days >= SHORT_DAYS)) return []
  const line = isBelow ? `The wallet is below ${usdc(threshold)}.` : 'The wallet is getting low.'
  return [
    {
      id: 'low-balance',
      text: runway === null ? line : `${line} ${runwaySentences(runway)}`,
      link: (
        <Link to="/funding" className="hover:underline">
          Top up
        </Link>
      ),
    },
  ]
}

function runwaySentences(runway: Runway): string {
  const lasts = `It lasts ${lowerFirst(runwayWords(runway))} at your usual pace.`
  return [lasts, fitWords(runway), topUpWords(runway)].filter((each) => each !== null).join(' ')
}

const lowerFirst = (words: string) => words.charAt(0).toLowerCase() + words.slice(1)

function useUnusedKeys(): Concern[] {
  const scope = useScope()
  const keys = useQuery(keysQuery(scope)).data?.data ?? []
  const limit = addDays(londonDay(new Date()), -UNUSED_DAYS)
  const unused = keys.filter(
    (key) =>
      key.environment === scope.environment &&
      isActiveKey(key, new Date()) &&
      (key.last_used_at ?? key.created_at).slice(0, 10) < limit,
  )
  if (unused.length === 0) return []
  return [
    {
      id: 'unused-keys',
      text: `${count(unused.length, 'API key has', 'API keys have')} not been used for 90 days.`,
      link: (
        <Link to="/keys" className="hover:underline">
          Review keys
        </Link>
      ),
    },
  ]
}

function useVerification(): Concern[] {
  const environment = useEnvironment()
  const status = useSession().partner.verification_status
  if (environment === 'sandbox' ? status !== 'in_progress' : status === 'approved') return []
  return [
    {
      id: 'verification',
      text: 'Business verification is not finished.',
      link: (
        <Link to="/compliance" className="hover:underline">
          Continue
        </Link>
      ),
    },
  ]
}
