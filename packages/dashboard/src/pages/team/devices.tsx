import type { OwnSession } from '@kestrel/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { Loaded } from '../../app/loaded.tsx'
import { useAction } from '../../app/use-action.ts'
import { browserName } from '../../format/browser-name.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Badge } from '../../parts/status-pill.tsx'
import { Time } from '../../parts/time.tsx'
import { complain } from '../../parts/toasts.tsx'
import { signOutDevice } from '../../server/auth.ts'
import { isNotFound } from '../../server/client.ts'
import { devicesQuery } from '../../server/queries.ts'

const SHOWN = 5

/** Where the reader is signed in, and a way to end it. */
export function Devices() {
  const devices = useQuery(devicesQuery)
  const [isAll, setAll] = useState(false)
  const others = devices.data?.data.filter(({ is_current, can_end }) => !is_current && can_end) ?? []
  const isLater = devices.data?.data.some(({ can_end }) => !can_end) ?? false
  return (
    <Card
      title="Where you are signed in"
      action={others.length > 1 ? <SignOutOthers others={others} isLater={isLater} /> : undefined}
    >
      <Loaded query={devices}>
        {({ data }) => (
          <>
            <ul className="divide-y divide-line">
              {(isAll ? data : thisFirst(data).slice(0, SHOWN)).map((device) => (
                <Device key={device.id} device={device} />
              ))}
            </ul>
            {isLater ? (
              <p className="mt-2 text-sm text-muted">
                To sign out a browser that signed in after this one, sign out here and sign in again first.
              </p>
            ) : null}
            {isAll || data.length <= SHOWN ? null : (
              <Button kind="quiet" onClick={() => setAll(true)}>{`Show all ${data.length}`}</Button>
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}

const thisFirst = (devices: readonly OwnSession[]) =>
  devices.toSorted((a, b) => Number(b.is_current) - Number(a.is_current))

function SignOutOthers({ others, isLater }: { others: readonly OwnSession[]; isLater: boolean }) {
  const client = useQueryClient()
  const act = useAction(() => signOutAll(others), {
    done: isLater ? 'The browsers that signed in before this one are signed out.' : 'You are signed in here only.',
    onDone: () => void client.invalidateQueries({ queryKey: devicesQuery.queryKey }),
    onFailure: () => {
      complain('Some browsers could not be signed out. They are still in the list.', null)
      void client.invalidateQueries({ queryKey: devicesQuery.queryKey })
    },
  })
  return (
    <Button busy={act.isPending ? 'Signing out…' : false} onClick={() => act.mutate(undefined)}>
      Sign out everywhere else
    </Button>
  )
}

async function signOutAll(devices: readonly OwnSession[]): Promise<void> {
  for (const { id } of devices) {
    await signOutDevice(id).catch((error: unknown) => {
      // The session has ended meanwhile.
      if (!isNotFound(error)) throw error
    })
  }
}

function Device({ device }: { device: OwnSession }) {
  const client = useQueryClient()
  const name = browserName(device.user_agent)
  const act = useAction(() => signOutDevice(device.id), {
    done: `${name} was signed out.`,
    onDone: () => void client.invalidateQueries({ queryKey: devicesQuery.queryKey }),
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
      <span>
        <span className="font-medium" title={device.user_agent ?? undefined}>
          {name}
        </span>
        <span className="block text-sm text-muted">
          {device.ip === null ? '' : `${device.ip}, `}since <Time at={device.created_at} />, last seen{' '}
          <Time at={device.last_seen_at} as="ago" />
        </span>
      </span>
      {device.is_current ? (
        <Badge tone="ok">This browser</Badge>
      ) : !device.can_end ? (
        <Badge tone="quiet">Signed in later</Badge>
      ) : (
        <Button
          aria-label={`Sign out ${name}`}
          busy={act.isPending ? 'Signing out…' : false}
          onClick={() => act.mutate(undefined)}
        >
          Sign out
        </Button>
      )}
    </li>
  )
}
