import type { Payout, RecipientSummary } from '@kestrel/contract'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { Dialog } from 'radix-ui'
import { type ReactNode, useState } from 'react'

import { gbp } from '../format/money.ts'
import { count } from '../format/people.ts'
import { Icon } from '../parts/icon.tsx'
import type { IconName } from '../parts/icon-paths.ts'
import { useReturnFocus } from '../parts/return-focus.ts'
import { StatusPill } from '../parts/status-pill.tsx'
import { PAGES } from './navigation.ts'
import { useCommands } from './use-commands.ts'
import { useFound } from './use-found.ts'

interface MenuProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export default function CommandMenu({ isOpen, onClose }: MenuProps) {
  const [typed, setTyped] = useState('')
  const found = useFound(typed.trim())
  const { remember, giveBack } = useReturnFocus()
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
          onOpenAutoFocus={remember}
          onCloseAutoFocus={giveBack}
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
              <SearchState found={found} />
              <FoundPayouts payouts={found.payouts} typed={typed.trim()} onClose={close} />
              <FoundRecipients recipients={found.recipients} typed={typed.trim()} onClose={close} />
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

function FoundPayouts({ payouts, typed, onClose }: { payouts: readonly Payout[]; typed: string; onClose: () => void }) {
  const navigate = useNavigate()
  if (payouts.length === 0) return null
  return (
    <Group heading="Payouts">
      {payouts.map((payout) => (
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

interface FoundRecipientsProps {
  readonly recipients: readonly RecipientSummary[]
  readonly typed: string
  readonly onClose: () => void
}

function FoundRecipients({ recipients, typed, onClose }: FoundRecipientsProps) {
  const navigate = useNavigate()
  if (recipients.length === 0) return null
  return (
    <Group heading="Recipients">
      {recipients.map(({ name, account_last4, payouts }) => (
        <Item
          key={`${name}${account_last4}`}
          icon="recipients"
          value={`${typed} recipient ${name} ${account_last4}`}
          onSelect={() => {
            onClose()
            void navigate({ to: '/recipients', search: { q: name ?? account_last4 ?? '' } })
          }}
        >
          <span className="min-w-0 flex-1 truncate">
            {name} <span className="text-muted">··{account_last4}</span>
          </span>
          <span className="num text-muted">{count(payouts, 'payout')}</span>
        </Item>
      ))}
    </Group>
  )
}

/** "No results" is not shown before the answer is there. */
function SearchState({ found }: { found: ReturnType<typeof useFound> }) {
  if (found.hasFailed) {
    return (
      <p role="alert" className="px-3 py-3 text-bad">
        The search did not work.{' '}
        <button type="button" className="font-medium underline" onClick={found.again}>
          Try again
        </button>
      </p>
    )
  }
  if (found.isSearching) {
    return (
      <p role="status" className="px-3 py-3 text-center text-muted">
        Searching…
      </p>
    )
  }
  const nothing = found.isPartial
    ? 'Nothing matches among the newest payouts. The search on the page Payouts looks further back.'
    : 'Nothing matches.'
  return <Command.Empty className="px-3 py-6 text-center text-muted">{nothing}</Command.Empty>
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
