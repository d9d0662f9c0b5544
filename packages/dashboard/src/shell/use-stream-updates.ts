import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { useScope } from '../app/session.ts'
import { announce } from '../parts/announce.ts'
import { statusWord } from '../parts/status-pill.tsx'
import { AFTER_PAYOUT, SESSION, under } from '../server/queries.ts'
import { listen, openStream } from '../server/stream.ts'

/** A busy account has many events per second; one reading afterwards is enough. */
const SETTLE_MS = 300

export function useStreamUpdates(): void {
  const client = useQueryClient()
  const { slug, environment } = useScope()
  useEffect(() => {
    const scope = { slug, environment }
    const refresh = (...names: readonly string[]) => {
      for (const name of names) void client.invalidateQueries({ queryKey: under(scope, name) })
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const stopListening = listen({
      onPayout: ({ id, status }) => {
        void client.invalidateQueries({ queryKey: under(scope, 'payout', id) })
        announceIfShown(id, status)
        clearTimeout(timer)
        timer = setTimeout(() => refresh(...AFTER_PAYOUT), SETTLE_MS)
      },
      onBalance: () => refresh('balance', 'funding'),
      onPause: () => refresh('account'),
      onReturn: () => void client.invalidateQueries({ queryKey: [slug] }),
      onRefused: () => void client.invalidateQueries({ queryKey: SESSION }),
    })
    const close = openStream(environment)
    return () => {
      clearTimeout(timer)
      stopListening()
      close()
    }
  }, [client, slug, environment])
}

function announceIfShown(id: string, status: Parameters<typeof statusWord>[0]): void {
  // On its own page, or in the panel beside the list.
  const isShown = location.pathname.endsWith(id) || new URLSearchParams(location.search).get('open') === id
  if (isShown) announce(`This payout is now ${statusWord(status).toLowerCase()}`)
}
