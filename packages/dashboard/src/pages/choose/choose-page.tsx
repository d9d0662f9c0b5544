import { useQuery } from '@tanstack/react-query'
import { Navigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'

import { Loaded } from '../../app/loaded.tsx'
import { setTitle } from '../../app/title.ts'
import { Icon } from '../../parts/icon.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { sessionQuery } from '../../server/queries.ts'
import { Mark } from '../../parts/mark.tsx'
import { useChooseBusiness } from '../../shell/use-sign-out.ts'
import { Door } from '../sign-in/door.tsx'
import { safeNext } from '../sign-in/safe-next.ts'

export function ChoosePage() {
  const session = useQuery(sessionQuery)
  const { next } = useSearch({ from: '/choose' })
  const choose = useChooseBusiness(safeNext(next))
  useEffect(() => setTitle(['Choose a business'], null, null), [])
  return (
    <Loaded query={session} skeleton={<Skeleton />}>
      {(found) =>
        found === null ? (
          <Navigate to="/sign-in" replace />
        ) : (
          <Door title="Choose a business">
            <ul className="grid gap-2">
              {found.partners.map(({ slug, name, role }) => (
                <li key={slug}>
                  <button
                    type="button"
                    onClick={() => choose(slug)}
                    className="flex w-full items-center gap-3 rounded-card border border-line bg-surface p-3 text-left hover:border-control"
                  >
                    <Mark name={name} logo={null} />
                    <span className="min-w-0 flex-1">
                      <span className="block truncate font-semibold">{name}</span>
                      <span className="block text-sm text-muted">{role === 'admin' ? 'Admin' : 'Viewer'}</span>
                    </span>
                    <Icon name="chevronRight" className="text-muted" />
                  </button>
                </li>
              ))}
            </ul>
          </Door>
        )
      }
    </Loaded>
  )
}
