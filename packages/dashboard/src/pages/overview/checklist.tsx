import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { isActiveKey } from '../../app/active-key.ts'
import { usePreference, writePreference } from '../../app/preferences.ts'
import { useScope, useSession } from '../../app/session.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Icon } from '../../parts/icon.tsx'
import { keysQuery, membersQuery } from '../../server/queries.ts'

interface Step {
  readonly title: string
  readonly text: string
  readonly isDone: boolean
  readonly link: ReactNode
}

/** Every tick comes from what really happened, never from a click here. */
export function Checklist({ hasPayouts }: { hasPayouts: boolean }) {
  const steps = useSteps(hasPayouts)
  const isHidden = usePreference('checklist') === 'hidden'
  const done = steps.filter(({ isDone }) => isDone).length
  if (hasPayouts && (isHidden || done === steps.length)) return null
  return (
    <Card
      title={`Getting started, ${done} of ${steps.length} done`}
      action={
        hasPayouts ? (
          <Button kind="quiet" onClick={() => writePreference('checklist', 'hidden')}>
            Hide
          </Button>
        ) : undefined
      }
    >
      <ol className="divide-y divide-line">
        {steps.map((step) => (
          <StepLine key={step.title} step={step} />
        ))}
      </ol>
    </Card>
  )
}

function StepLine({ step: { title, text, isDone, link } }: { step: Step }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <span
        className={`flex size-6 items-center justify-center rounded-full ${isDone ? 'bg-ok-soft text-ok' : 'border border-control text-transparent'}`}
      >
        <Icon name="check" size={14} />
        <span className="sr-only">{isDone ? 'Done:' : 'To do:'}</span>
      </span>
      <span className="min-w-0 flex-1 basis-56">
        <span className={`block font-medium ${isDone ? 'text-muted' : ''}`}>{title}</span>
        <span className="block text-sm text-muted">{text}</span>
      </span>
      {isDone ? null : <span className="font-medium text-accent hover:underline">{link}</span>}
    </li>
  )
}

function useSteps(hasPayouts: boolean): readonly Step[] {
  const scope = useScope()
  const { partner } = useSession()
  const keys = useQuery(keysQuery(scope)).data?.data ?? []
  const members = useQuery(membersQuery(scope)).data?.data ?? []
  const active = keys.filter((key) => isActiveKey(key, new Date()))
  const live = liveSteps({
    isVerified: partner.verification_status === 'approved',
    hasLiveKey: active.some(({ environment }) => environment === 'live'),
  })
  if (scope.environment === 'live') return live
  return [
    ...sandboxSteps({
      hasPayouts,
      hasUsedKey: active.some(({ last_used_at }) => last_used_at !== null),
      hasColleague: members.length > 1,
    }),
    ...live,
  ]
}

interface SandboxDone {
  readonly hasPayouts: boolean
  readonly hasUsedKey: boolean
  readonly hasColleague: boolean
}

function sandboxSteps({ hasPayouts, hasUsedKey, hasColleague }: SandboxDone): readonly Step[] {
  return [
    {
      title: 'Send a test payout',
      text: 'The wallet holds test money. Any sort code works; an account ending 0000 fails on purpose.',
      isDone: hasPayouts,
      link: <Link to="/payouts/new">New payout</Link>,
    },
    {
      title: 'Use the API',
      text: 'Ticks itself when one of your keys is used for the first time.',
      isDone: hasUsedKey,
      link: <Link to="/keys">API keys</Link>,
    },
    {
      title: 'Invite a colleague',
      text: 'Viewers see everything and move nothing.',
      isDone: hasColleague,
      link: (
        <Link to="/team" search={{ invite: 'yes' }}>
          Invite
        </Link>
      ),
    },
  ]
}

function liveSteps({ isVerified, hasLiveKey }: { isVerified: boolean; hasLiveKey: boolean }): readonly Step[] {
  return [
    {
      title: 'Verify your business',
      text: 'Opens live: real money, real bank accounts.',
      isDone: isVerified,
      link: <Link to="/compliance">Start</Link>,
    },
    {
      title: 'Create a live key',
      text: isVerified ? 'Then send the first real payout.' : 'After verification.',
      isDone: hasLiveKey,
      link: (
        <Link to="/keys" search={{ environment: 'live' }}>
          Live keys
        </Link>
      ),
    },
  ]
}
