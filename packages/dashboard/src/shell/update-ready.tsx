import { useEffect, useState } from 'react'

import { Button } from '../parts/button.tsx'
import { readBuild } from '../server/client.ts'

/** At most this often: a window that somebody keeps switching to must not ask every time. */
const ASK_AT_MOST_EVERY_MS = 5 * 60_000

/** After a new release the old parts of the page are gone: say so, rather than break at the next click. */
export function UpdateReady() {
  const isReady = useIsUpdateReady()
  if (!isReady) return null
  return (
    <div
      role="alert"
      className="fixed inset-x-4 top-4 z-60 mx-auto flex max-w-md items-center justify-between gap-4 rounded-card border border-line bg-surface p-3 pl-4 shadow-2xl"
    >
      There is a new version of this page.
      <Button kind="primary" onClick={() => window.location.reload()}>
        Reload
      </Button>
    </div>
  )
}

function useIsUpdateReady(): boolean {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const own = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.getAttribute('src') ?? null
    let askedAt = performance.now()
    const look = async () => {
      if (own === null || document.hidden || performance.now() - askedAt < ASK_AT_MOST_EVERY_MS) return
      askedAt = performance.now()
      const served = await readBuild()
      if (served !== null && served !== own) setReady(true)
    }
    const onFocus = () => void look()
    const onPartMissing = (event: Event) => {
      // Otherwise the router reloads by itself, which loses what was typed, and offline the whole page.
      event.preventDefault()
      setReady(navigator.onLine)
    }
    addEventListener('focus', onFocus)
    document.addEventListener('visibilitychange', onFocus)
    addEventListener('vite:preloadError', onPartMissing)
    return () => {
      removeEventListener('focus', onFocus)
      document.removeEventListener('visibilitychange', onFocus)
      removeEventListener('vite:preloadError', onPartMissing)
    }
  }, [])
  return isReady
}
