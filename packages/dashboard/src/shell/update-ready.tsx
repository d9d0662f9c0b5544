import { useEffect, useState } from 'react'

import { Button } from '../parts/button.tsx'

/** After a new release the old parts of the page are gone: say so, rather than break at the next click. */
export function UpdateReady() {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const notice = (event: Event) => {
      // Otherwise the router reloads by itself, which loses what was typed, and offline the whole page.
      event.preventDefault()
      setReady(navigator.onLine)
    }
    addEventListener('vite:preloadError', notice)
    return () => removeEventListener('vite:preloadError', notice)
  }, [])
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

export function Announcer() {
  return <div id="announcer" role="status" aria-live="polite" className="sr-only" />
}
