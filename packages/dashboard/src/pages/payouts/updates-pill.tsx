import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { useScope } from '../../app/session.ts'
import { count } from '../../format/people.ts'
import { Icon } from '../../parts/icon.tsx'
import { listPayouts, type PayoutFilter } from '../../server/payouts.ts'
import { payoutPagesQuery, under } from '../../server/queries.ts'
import { listen } from '../../server/stream.ts'
import { type Stamp, updatesAmong } from './updates.ts'

/** A busy account has many events per second; they are handled together. */
const TOGETHER_MS = 500

/** Rows do not jump under somebody's pointer: what changed is counted, and shown when asked for. */
export function UpdatesPill({ filter }: { filter: PayoutFilter }) {
  const { changed, show } = useUpdates(filter)
  return (
    <div role="status" className={changed === 0 ? 'sr-only' : 'flex justify-center'}>
      {changed === 0 ? null : (
        <button
          type="button"
          onClick={show}
          className="inline-flex animate-appear items-center gap-2 rounded-full bg-accent-soft px-3 py-1 touch:py-2.5 font-medium text-accent"
        >
          <Icon name="refresh" size={14} />
          {count(changed, 'update')}, show
        </button>
      )}
    </div>
  )
}

function useUpdates(filter: PayoutFilter) {
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())
  const client = useQueryClient()
  const { slug, environment } = useScope()
  useEffect(() => {
    setChanged(new Set())
    const list = payoutPagesQuery({ slug, environment }, filter).queryKey
    const shownRows = () => client.getQueryData(list)?.pages.flatMap(({ data }) => data)
    let told = new Map<string, Stamp>()
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const compare = async () => {
      timer = undefined
      const batch = [...told.values()]
      told = new Map()
      const known = new Set(shownRows()?.map(({ id }) => id))
      // Only the server knows whether a payout that is not shown fits the filter.
      const isAllShown = batch.every(({ id }) => known.has(id))
      const now = isAllShown ? [] : (await listPayouts(environment, filter)).data
      // Before the list has been read nothing in it can be out of date.
      const shown = shownRows()
      if (isOver || shown === undefined) return
      const ids = updatesAmong({ shown, now, told: batch })
      if (ids.length > 0) setChanged((before) => new Set([...before, ...ids]))
    }
    const stop = listen({
      onPayout: ({ id, updated_at }) => {
        told.set(id, { id, updated_at })
        timer ??= setTimeout(() => void compare().catch(() => undefined), TOGETHER_MS)
      },
    })
    return () => {
      isOver = true
      clearTimeout(timer)
      stop()
    }
  }, [client, filter, slug, environment])
  const show = () => {
    setChanged(new Set())
    for (const name of ['payouts', 'summary']) {
      void client.invalidateQueries({ queryKey: under({ slug, environment }, name) })
    }
  }
  return { changed: changed.size, show }
}
