import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { useScope } from '../../app/session.ts'
import { count } from '../../format/people.ts'
import { Icon } from '../../parts/icon.tsx'
import type { PayoutFilter } from '../../server/payouts.ts'
import { under } from '../../server/queries.ts'
import { listen } from '../../server/stream.ts'

/** Rows do not jump under somebody's pointer: what changed is counted, and shown when asked for. */
export function UpdatesPill({ filter }: { filter: PayoutFilter }) {
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())
  const client = useQueryClient()
  const { slug, environment } = useScope()
  useEffect(() => setChanged(new Set()), [filter, slug, environment])
  useEffect(() => listen({ onPayout: ({ id }) => setChanged((before) => new Set([...before, id])) }), [])
  const show = () => {
    setChanged(new Set())
    for (const name of ['payouts', 'summary']) {
      void client.invalidateQueries({ queryKey: under({ slug, environment }, name) })
    }
  }
  return (
    <div role="status" className={changed.size === 0 ? 'sr-only' : 'flex justify-center'}>
      {changed.size === 0 ? null : (
        <button
          type="button"
          onClick={show}
          className="inline-flex animate-appear items-center gap-2 rounded-full bg-accent-soft px-3 py-1 touch:py-2.5 font-medium text-accent"
        >
          <Icon name="refresh" size={14} />
          {count(changed.size, 'update')}, show
        </button>
      )}
    </div>
  )
}
