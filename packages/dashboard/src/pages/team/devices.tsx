import { useQuery, useQueryClient } from '@tanstack/react-query'

import { Loaded } from '../../app/loaded.tsx'
import { useAction } from '../../app/use-action.ts'
import { browserName } from '../../format/people.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Badge } from '../../parts/status-pill.tsx'
import { Time } from '../../parts/time.tsx'
import { signOutDevice } from '../../server/auth.ts'
import { devicesQuery } from '../../server/queries.ts'
import type { SignedInDevice } from '../../server/shapes.ts'

/** Where the reader is signed in, and a way to end it. */
export function Devices() {
  const devices = useQuery(devicesQuery)
  return (
    <Card title="Where you are signed in">
      <Loaded query={devices}>
        {({ data }) => (
          <ul className="divide-y divide-line">
            {data.map((device) => (
              <Device key={device.id} device={device} />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}

function Device({ device }: { device: SignedInDevice }) {
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
          <Time at={device.last_seen_at} as="relative" />
        </span>
      </span>
      {device.is_current ? (
        <Badge tone="ok">This browser</Badge>
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
