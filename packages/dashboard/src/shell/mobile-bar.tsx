import { Link } from '@tanstack/react-router'
import { useState } from 'react'

import { useCanPay } from '../app/use-can-pay.ts'
import { IconButton } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import type { IconName } from '../parts/icon-paths.ts'
import { BusinessSwitch, EnvironmentToggle } from './business-switch.tsx'
import { PersonMenu } from './person-menu.tsx'
import { NavigationList } from './sidebar.tsx'

interface MobileProps {
  readonly onSearch: () => void
  readonly onKeyboardHelp: () => void
}

export function MobileTop({ onSearch }: Pick<MobileProps, 'onSearch'>) {
  return (
    <div className="flex items-center gap-2 border-b border-line px-3 py-1.5 lg:hidden no-print">
      <div className="min-w-0 flex-1">
        <BusinessSwitch />
      </div>
      <IconButton icon="search" label="Search" onClick={onSearch} />
    </div>
  )
}

const TAB =
  'flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 text-xs text-muted aria-[current=page]:font-medium aria-[current=page]:text-ink'

/** Four pages and "New payout", within reach of a thumb. */
export function MobileTabs({ onKeyboardHelp }: Pick<MobileProps, 'onKeyboardHelp'>) {
  const [isOpen, setOpen] = useState(false)
  const canPay = useCanPay()
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden no-print"
    >
      <Tab to="/" icon="home" label="Overview" />
      <Tab to="/payouts" icon="payouts" label="Payouts" />
      {canPay ? (
        <Link to="/payouts/new" aria-label="New payout" className={TAB}>
          <span className="flex size-9 items-center justify-center rounded-full bg-ink text-on-ink">
            <Icon name="plus" size={20} />
          </span>
        </Link>
      ) : null}
      <Tab to="/funding" icon="funding" label="Funding" />
      <button type="button" className={TAB} onClick={() => setOpen(true)}>
        <Icon name="menu" size={20} />
        More
      </button>
      <Dialog title="More" isOpen={isOpen} onClose={() => setOpen(false)}>
        <div className="mb-3">
          <EnvironmentToggle />
        </div>
        <NavigationList onPick={() => setOpen(false)} />
        <PersonMenu onKeyboardHelp={onKeyboardHelp} />
      </Dialog>
    </nav>
  )
}

function Tab({ to, icon, label }: { to: '/' | '/payouts' | '/funding'; icon: IconName; label: string }) {
  return (
    <Link to={to} activeOptions={{ exact: true, includeSearch: false }} className={TAB}>
      <Icon name={icon} size={20} />
      {label}
    </Link>
  )
}
