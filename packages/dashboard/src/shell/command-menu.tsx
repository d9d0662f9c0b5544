import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { Dialog } from 'radix-ui'
import { type ReactNode, useDeferredValue, useState } from 'react'

import { chooseTheme } from '../app/preferences.ts'
import { useCanPay, useIsAdmin, useScope } from '../app/session.ts'
import { gbp } from '../format/money.ts'
import { Icon } from '../parts/icon.tsx'
import type { IconName } from '../parts/icon-paths.ts'
import { StatusPill } from '../parts/status-pill.tsx'
import { exportAddress } from '../server/payouts.ts'
import { recentPayoutsQuery } from '../server/queries.ts'
import { inEnvironment, PAGES } from './navigation.ts'

interface MenuProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export default function CommandMenu({ isOpen, onClose }: MenuProps) {
  const [typed, setTyped] = useState('')
  const close = () => {
    setTyped('')
    onClose()
  }
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => (next ? undefined : close())}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-veil" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-x-3 top-[12vh] z-50 mx-auto max-w-xl animate-appear overflow-hidden rounded-card border border-line bg-surface shadow-2xl"
        >
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          <Command label="Search and commands" loop>
            <div className="flex items-center gap-2.5 border-b border-line px-4">
              <Icon name="search" className="text-muted" />
              <Command.Input
                value={typed}
                onValueChange={setTyped}
                placeholder="Search payouts, recipients, pages"
                className="h-12 w-full bg-transparent touch:text-[16px] outline-none"
              />
            </div>
            <Command.List className="max-h-[60vh] overflow-y-auto p-2">
              <Command.Empty className="px-3 py-6 text-center text-muted">Nothing matches.</Command.Empty>
              <FoundPayouts typed={typed.trim()} onClose={close} />
              <Actions onClose={close} />
              <Pages onClose={close} />
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  )
}

function Item({
  icon,
  value,
  onSelect,
  children,
}: {
  icon: IconName
  value: string
  onSelect: () => void
  children: ReactNode
}) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex cursor-pointer items-center gap-2.5 rounded-md px-3 py-2 touch:py-3 data-[selected=true]:bg-selected"
    >
      <Icon name={icon} className="text-muted" />
      {children}
    </Command.Item>
  )
}

function FoundPayouts({ typed, onClose }: { typed: string; onClose: () => void }) {
  const scope = useScope()
  const navigate = useNavigate()
  const q = useDeferredValue(typed)
  const found = useQuery({ ...recentPayoutsQuery(scope, { q }, 5), enabled: q.length >= 2 })
  if (q.length < 2 || found.data === undefined || found.data.data.length === 0) return null
  return (
    <Group heading="Payouts">
      {found.data.data.map((payout) => (
        <Item
          key={payout.id}
          icon="payouts"
          // The words typed are part of the value, because the server has already decided that it matches.
          value={`${typed} ${payout.id}`}
          onSelect={() => {
            onClose()
            void navigate({ to: '/payouts/$id', params: { id: payout.id } })
          }}
        >
          <span className="min-w-0 flex-1 truncate">
            {payout.recipient.name} <span className="text-muted">··{payout.recipient.account_last4}</span>
          </span>
          <StatusPill status={payout.status} />
          <span className="num">{gbp(payout.amount_gbp)}</span>
        </Item>
      ))}
    </Group>
  )
}

function useCommands(): readonly { label: string; icon: IconName; run: () => void }[] {
  const scope = useScope()
  const isAdmin = useIsAdmin()
  const canPay = useCanPay()
  const navigate = useNavigate()
  const other = scope.environment === 'live' ? 'sandbox' : 'live'
  const toPay = [{ label: 'New payout', icon: 'plus', run: () => void navigate({ to: '/payouts/new' }) }] as const
  const forAdmins = [
    { label: 'Create an API key', icon: 'keys', run: () => void navigate({ to: '/keys', search: { create: 'yes' } }) },
    { label: 'Invite somebody', icon: 'team', run: () => void navigate({ to: '/team', search: { invite: 'yes' } }) },
  ] as const
  return [
    ...(canPay ? toPay : []),
    ...(isAdmin ? forAdmins : []),
    { label: 'Top up the wallet', icon: 'funding', run: () => void navigate({ to: '/funding' }) },
    {
      label: 'Export payouts (CSV)',
      icon: 'download',
      run: () => window.location.assign(exportAddress(scope.environment, {})),
    },
    {
      label: `Switch to ${other}`,
      icon: 'flask',
      run: () => void navigate({ to: '.', search: inEnvironment(other) }),
    },
    { label: 'Dark appearance', icon: 'moon', run: () => chooseTheme('dark') },
    { label: 'Light appearance', icon: 'sun', run: () => chooseTheme('light') },
    { label: 'API documentation', icon: 'book', run: () => window.open('/docs', '_blank', 'noopener') },
  ]
}

function Actions({ onClose }: { onClose: () => void }) {
  const commands = useCommands()
  return (
    <Group heading="Do">
      {commands.map(({ label, icon, run }) => (
        <Item
          key={label}
          icon={icon}
          value={label}
          onSelect={() => {
            onClose()
            run()
          }}
        >
          {label}
        </Item>
      ))}
    </Group>
  )
}

function Pages({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  return (
    <Group heading="Go to">
      {PAGES.map(({ to, label, icon }) => (
        <Item
          key={to}
          icon={icon}
          value={`Go to ${label}`}
          onSelect={() => {
            onClose()
            void navigate({ to })
          }}
        >
          {label}
        </Item>
      ))}
    </Group>
  )
}
