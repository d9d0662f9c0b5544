import type { GoLiveStepId } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { isActiveKey } from '../../keys/active-key.ts'
import { usePreference, writePreference } from '../../app/preferences.ts'
import { useEnvironment, useScope } from '../../app/session.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { goLiveQuery, keysQuery, membersQuery } from '../../server/queries.ts'
import { useLiveSteps } from './live-steps.tsx'
import { type ChecklistStep, doneSteps } from './step.ts'

/** Every tick comes from what really happened, never from a click here. */
export function Checklist({ hasPayouts }: { hasPayouts: boolean }) {
  const environment = useEnvironment()
  const first = useFirstSteps(hasPayouts)
  const live = useLiveSteps()
  return (
    <>
      {environment === 'sandbox' ? <Steps title="Getting started" steps={first} mayHide={hasPayouts} /> : null}
      <Steps title="Going live" steps={live} mayHide={hasPayouts} />
    </>
  )
}

interface StepsProps {
  readonly title: string
  /** Null until it is known which are done: a count that grows by itself would say something wrong first. */
  readonly steps: readonly ChecklistStep[] | null
  readonly mayHide: boolean
}

function Steps({ title, steps, mayHide }: StepsProps) {
  const isHidden = usePreference('checklist') === 'hidden'
  if (steps === null) return mayHide ? null : <StepsToCome />
  const done = steps.filter(({ isDone }) => isDone).length
  if (mayHide && (isHidden || done === steps.length)) return null
  return (
    <Card
      title={`${title}, ${done} of ${steps.length} done`}
      action={
        mayHide ? (
          <Button kind="quiet" className="-mx-3.5" onClick={() => writePreference('checklist', 'hidden')}>
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

/** Of the height that the steps will have. */
function StepsToCome() {
  return (
    <Card>
      <Skeleton rows={4} />
    </Card>
  )
}

function StepLine({ step: { title, text, isDone, link } }: { step: ChecklistStep }) {
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
      {isDone ? null : (
        <span className="basis-full pl-10 font-medium text-accent hover:underline sm:basis-auto sm:pl-0">{link}</span>
      )}
    </li>
  )
}

function useFirstSteps(hasPayouts: boolean): readonly ChecklistStep[] | null {
  const scope = useScope()
  const [keysRead, membersRead] = [useQuery(keysQuery(scope)), useQuery(membersQuery(scope))]
  const stepsRead = useQuery(goLiveQuery(scope))
  if (keysRead.isLoading || membersRead.isLoading || stepsRead.isLoading) return null
  const done = doneSteps(stepsRead.data ?? { steps: [] })
  const keys = keysRead.data?.data ?? []
  const members = membersRead.data?.data ?? []
  return [
    {
      title: 'Send a test payout',
      text: 'The wallet holds test money. Any sort code works; an account ending 0000 fails on purpose.',
      isDone: hasPayouts,
      link: <Link to="/payouts/new">New payout</Link>,
    },
    {
      title: 'Invite a colleague',
      text: 'Viewers see everything and move nothing.',
      isDone: members.length > 1,
      link: (
        <Link to="/team" search={{ invite: 'yes' }}>
          Invite
        </Link>
      ),
    },
    {
      title: 'Use the API',
      text: 'For developers. Ticks itself when one of your keys is used for the first time.',
      isDone: keys.some((key) => isActiveKey(key, new Date()) && key.last_used_at !== null),
      link: <Link to="/keys">API keys</Link>,
    },
    ...tried(done),
  ]
}

/** What a program should have met before it pays real money. */
function tried(done: ReadonlySet<GoLiveStepId>): readonly ChecklistStep[] {
  return [
    {
      title: 'Handle a failure',
      text: 'Ticks itself when your program reads a payout that failed or came back.',
      isDone: done.has('failure_handled'),
      link: <a href="/docs/testing">How to make one fail</a>,
    },
    {
      title: 'Repeat a request',
      text: 'Ticks itself when your program sends the same Idempotency-Key again and is not paid twice.',
      isDone: done.has('replay_seen'),
      link: <a href="/docs/idempotency">How it works</a>,
    },
    {
      title: 'Receive a webhook',
      text: 'Ticks itself when your receiver answers an event with 2xx.',
      isDone: done.has('webhook_verified'),
      link: <Link to="/webhooks">Webhooks</Link>,
    },
  ]
}
