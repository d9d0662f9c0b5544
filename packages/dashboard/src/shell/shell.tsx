import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useState } from 'react'

import { Skeleton } from '../parts/skeleton.tsx'
import { MobileTabs, MobileTop } from './mobile-bar.tsx'
import { Bars } from './sandbox-bar.tsx'
import { Sidebar } from './sidebar.tsx'
import { useStreamUpdates } from './use-stream-updates.ts'
import { useRowKeys } from './use-row-keys.ts'
import { useShortcuts } from './use-shortcuts.ts'

const CommandMenu = lazy(() => import('./command-menu.tsx'))
const KeyboardHelp = lazy(() => import('./keyboard-help.tsx'))

export function Shell() {
  const [isSearching, setSearching] = useState(false)
  const [wantsHelp, setWantsHelp] = useState(false)
  const openCommands = useCallback(() => setSearching(true), [])
  const openHelp = useCallback(() => setWantsHelp(true), [])
  useShortcuts({ openCommands, openHelp })
  useRowKeys()
  useStreamUpdates()
  return (
    <>
      <a
        href="#main"
        className="fixed top-2 left-2 z-60 -translate-y-16 rounded-control bg-ink px-3 py-2 text-on-ink focus:translate-y-0"
      >
        Skip to content
      </a>
      <Bars />
      <MobileTop onSearch={openCommands} />
      <div className="flex">
        <Sidebar onSearch={openCommands} onKeyboardHelp={openHelp} />
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          <Suspense fallback={<Skeleton rows={6} />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <MobileTabs onKeyboardHelp={openHelp} />
      <Suspense fallback={null}>
        {isSearching ? <CommandMenu isOpen onClose={() => setSearching(false)} /> : null}
        {wantsHelp ? <KeyboardHelp isOpen onClose={() => setWantsHelp(false)} /> : null}
      </Suspense>
    </>
  )
}
