import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { isNotOpen } from '../app/no-live-bank.tsx'
import { useIsVerified, useScope } from '../app/session.ts'
import { useLiveVerification } from '../app/use-live-verification.ts'
import { KeyHint } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { ApiError } from '../server/client.ts'
import { accountQuery, balanceQuery } from '../server/queries.ts'
import { BusinessSwitch, EnvironmentToggle } from './business-switch.tsx'
import { NAVIGATION } from './navigation.ts'
import { PersonMenu } from './person-menu.tsx'

interface SidebarProps {
  readonly onSearch: () => void
  readonly onKeyboardHelp: () => void
}

export function Sidebar({ onSearch, onKeyboardHelp }: SidebarProps) {
  return (
    <aside className="sticky top-(--bars) hidden h-[calc(100dvh-var(--bars))] w-60 shrink-0 flex-col border-r border-line lg:flex no-print">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2 p-3 pb-0">
        <BusinessSwitch />
        <EnvironmentToggle />
        <SearchButton onSearch={onSearch} />
      </div>
      <nav aria-label="Pages" className="min-h-0 flex-1 overflow-y-auto p-3">
        <NavigationList />
      </nav>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1 border-t border-line p-3">
        <BankChip />
        <PersonMenu onKeyboardHelp={onKeyboardHelp} />
      </div>
    </aside>
  )
}

export function NavigationList({ onPick }: { onPick?: () => void }) {
  return NAVIGATION.map(({ group, items }) => (
    <div key={group} className="mb-3">
      <p id={`nav-${group}`} className="px-2 py-1 text-xs text-muted">
        {group}
      </p>
      <ul aria-labelledby={`nav-${group}`}>
        {items.map(({ to, label, icon }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              {...(onPick === undefined ? {} : { onClick: onPick })}
              className="flex items-center gap-2.5 rounded-md px-2 py-1.5 touch:py-2.5 text-muted hover:bg-selected hover:text-ink aria-[current=page]:bg-selected aria-[current=page]:font-medium aria-[current=page]:text-ink"
            >
              <Icon name={icon} />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ))
}

function SearchButton({ onSearch }: { onSearch: () => void }) {
  return (
    <button
      type="button"
      onClick={onSearch}
      className="flex min-h-9 items-center gap-2 rounded-control border border-line bg-surface px-2.5 text-muted hover:text-ink"
    >
      <Icon name="search" size={14} />
      <span className="flex-1 text-left">Search</span>
      <KeyHint>{/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</KeyHint>
    </button>
  )
}

const RAILS = {
  provider_production: 'Bank connected',
  provider_sandbox: 'Sandbox bank connected',
  simulated: 'Simulated bank',
}

/** Whether the bank answers, judged by the last reading of the balance. */
function BankChip() {
  const scope = useScope()
  const account = useQuery(accountQuery(scope))
  const isVerified = useIsVerified()
  const balance = useQuery({ ...balanceQuery(scope), enabled: isVerified })
  const { verification, isAwaited } = useLiveVerification()
  if (!isVerified || isAwaited) return null
  if (verification !== undefined && isNotOpen(verification)) return <Chip dot="bg-control">No live wallet yet</Chip>
  const isDown = balance.error instanceof ApiError && balance.error.code === 'bank_unavailable'
  const word = isDown ? 'Bank is not answering' : RAILS[account.data?.rail ?? 'simulated']
  if (!isDown && account.data === undefined) return null
  return <Chip dot={isDown ? 'bg-bad' : 'bg-ok'}>{word}</Chip>
}

function Chip({ dot, children }: { dot: string; children: string }) {
  return (
    <p className="flex items-center gap-2 px-2 py-1 text-sm text-muted">
      <span className={`size-2 rounded-full ${dot}`} />
      {children}
    </p>
  )
}
