import { Link } from '@tanstack/react-router'

import { Contact } from '../app/contact.tsx'
import { useEnvironment, useSession } from '../app/session.ts'
import { useIsOnline } from '../app/use-online.ts'
import { usePause } from '../app/use-pause.ts'
import { Icon } from '../parts/icon.tsx'
import { Time } from '../parts/time.tsx'
import { inEnvironment } from './navigation.ts'

/** The height of the bars, for whatever must stay below them. */
function measure(header: HTMLElement | null): (() => void) | undefined {
  if (header === null) return
  const tell = () => document.documentElement.style.setProperty('--bars', `${header.offsetHeight}px`)
  const observer = new ResizeObserver(tell)
  observer.observe(header)
  tell()
  return () => observer.disconnect()
}

/** What is true of the whole page stands above it: test money, no connection, an account that is switched off. */
export function Bars() {
  const environment = useEnvironment()
  const isOnline = useIsOnline()
  const { partner } = useSession()
  return (
    <header ref={measure} className="sticky top-0 z-30 no-print">
      {environment === 'sandbox' ? <SandboxBar /> : null}
      {isOnline ? null : (
        <p
          role="status"
          className="flex items-center justify-center gap-2 bg-quiet-soft px-4 py-1.5 text-sm text-quiet"
        >
          <Icon name="offline" size={14} />
          You are offline. What you see may be out of date, and nothing can be sent.
        </p>
      )}
      <PauseBar />
      {partner.status === 'active' ? null : (
        <p role="status" className="flex items-center justify-center gap-2 bg-bad-soft px-4 py-1.5 text-sm text-bad">
          <Icon name="alert" size={14} />
          <span>
            {partner.name} is {partner.status}. No payouts can be made; those under way finish by themselves.{' '}
            <Contact />
          </span>
        </p>
      )}
    </header>
  )
}

function PauseBar() {
  const environment = useEnvironment()
  const pause = usePause()
  if (pause === null) return null
  return (
    <p
      role="status"
      className="flex flex-wrap items-center justify-center gap-x-2 bg-warn-soft px-4 py-1.5 text-center text-sm text-warn"
    >
      <span>
        <Icon name="alert" size={14} className="mr-2 inline align-[-2px]" />
        All {environment} payouts have been paused since <Time at={pause.paused_at} />, by {pause.paused_by}. Those
        under way go on.
      </span>
      <Link to="/payouts" className="underline underline-offset-2">
        Go to payouts
      </Link>
    </p>
  )
}

function SandboxBar() {
  return (
    <div
      role="note"
      aria-label="Sandbox"
      className="flex flex-wrap items-center justify-center gap-x-3 bg-sandbox-soft px-4 py-1.5 text-center text-sm text-sandbox"
    >
      <strong className="font-semibold">Sandbox</strong>
      <span className="hidden sm:inline">Test money. Nothing here reaches a real bank account.</span>
      <span className="sm:hidden">Test money only.</span>
      <Link to="." search={inEnvironment('live')} className="underline underline-offset-2">
        Switch to live
      </Link>
    </div>
  )
}
