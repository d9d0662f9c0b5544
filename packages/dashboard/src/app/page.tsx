import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'

import { buttonClass } from '../parts/button.tsx'
import { Notice } from '../parts/card.tsx'
import { Icon } from '../parts/icon.tsx'
import { cannotStart, isNotOpen, NoLiveBank, NotOpenYet } from './no-live-bank.tsx'
import { useEnvironment, useIsVerified, useSession } from './session.ts'
import { setTitle } from './title.ts'
import { useLiveVerification } from './use-live-verification.ts'

interface PageProps {
  readonly title: string
  /** What the browser tab says, where it differs from the heading. */
  readonly tab?: string
  readonly heading?: ReactNode
  readonly sub?: ReactNode
  readonly actions?: ReactNode
  readonly back?: ReactNode
  readonly children: ReactNode
}

let isFirstPage = true

/** One heading per page. It takes the focus after a click on a link, so that screen readers say which page this is. */
export function Page({ title, tab, heading, sub, actions, back, children }: PageProps) {
  const { partner } = useSession()
  const environment = useEnvironment()
  const top = useRef<HTMLHeadingElement>(null)
  useEffect(() => setTitle([tab ?? title], environment, partner.name), [title, tab, environment, partner.name])
  useEffect(() => {
    if (!isFirstPage && document.activeElement?.closest('[role=dialog], input, textarea') == null) {
      top.current?.focus({ preventScroll: true })
    }
    isFirstPage = false
  }, [])
  return (
    <div className="mx-auto w-full max-w-6xl px-4 pt-6 pb-28 sm:px-8 lg:pb-16">
      {back === undefined ? null : <div className="mb-2 text-sm">{back}</div>}
      <div className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 ref={top} tabIndex={-1} className="text-2xl font-semibold tracking-tight">
            {heading ?? title}
          </h1>
          {sub === undefined ? null : <div className="mt-0.5 text-muted">{sub}</div>}
        </div>
        {actions === undefined ? null : <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">{children}</div>
    </div>
  )
}

/** Shown in live until the wallet is open at the bank: why the page is empty, and what to do. */
export function NotVerifiedNotice() {
  const isVerified = useIsVerified()
  const { verification, isAwaited } = useLiveVerification()
  const way = (
    <Link to="/compliance" className="font-medium underline">
      Go to verification
    </Link>
  )
  if (verification !== undefined && isNotOpen(verification)) return <NotOpenYet verification={verification} way={way} />
  if (isVerified || isAwaited) return null
  if (verification !== undefined && cannotStart(verification)) return <NoLiveBank />
  return (
    <Notice tone="warn" title="Live opens when your business is verified">
      <p>Until then no real money moves and there are no live keys. Sandbox has everything else. {way}</p>
    </Notice>
  )
}

export function BackLink({ to, children }: { to: '/payouts' | '/invoices' | '/webhooks'; children: string }) {
  return (
    <Link to={to} className="inline-flex items-center gap-1 text-muted hover:text-ink">
      <Icon name="arrowLeft" size={14} />
      {children}
    </Link>
  )
}

export const linkClass = 'font-medium text-accent hover:underline underline-offset-2'
export { buttonClass }
