import { DropdownMenu as Radix } from 'radix-ui'
import { type ReactNode, useState } from 'react'

import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'

interface MenuProps {
  readonly trigger: ReactNode
  readonly children: ReactNode
  readonly align?: 'start' | 'end'
}

export function Menu({ trigger, children, align = 'end' }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Radix.Root modal={false} open={isOpen} onOpenChange={setOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={isOpen ? home() : null}>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={12}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 animate-appear overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-xl"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Everything on the page belongs to a landmark, and beside an open dialog nothing else can be reached. */
const home = () => document.querySelector<HTMLElement>('[role=dialog]') ?? document.querySelector('main')

const ITEM =
  'flex w-full items-center gap-2.5 rounded-md px-2.5 py-1.5 touch:py-2.5 text-base outline-none select-none data-highlighted:bg-selected cursor-pointer'

interface ItemProps {
  readonly icon?: IconName
  readonly children: ReactNode
  readonly onSelect?: () => void
  readonly hint?: string
}

export function MenuItem({ icon, children, onSelect, hint }: ItemProps) {
  return (
    <Radix.Item className={ITEM} onSelect={() => onSelect?.()}>
      {icon === undefined ? null : <Icon name={icon} className="text-muted" />}
      <span className="min-w-0 flex-1">
        {children}
        {hint === undefined ? null : <span className="block text-sm text-muted">{hint}</span>}
      </span>
    </Radix.Item>
  )
}

export function MenuChoice({
  isChosen,
  children,
  onSelect,
}: {
  isChosen: boolean
  children: ReactNode
  onSelect: () => void
}) {
  return (
    <Radix.CheckboxItem checked={isChosen} className={ITEM} onSelect={() => onSelect()}>
      <span className="flex size-4 items-center justify-center">
        <Radix.ItemIndicator>
          <Icon name="check" />
        </Radix.ItemIndicator>
      </span>
      {children}
    </Radix.CheckboxItem>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2.5 py-1.5 text-xs text-muted">{children}</Radix.Label>
}

export function MenuLine() {
  return <Radix.Separator className="my-1 h-px bg-line" />
}
