import { Link, useNavigate } from '@tanstack/react-router'

import { useEnvironment, useSession } from '../app/session.ts'
import { Icon } from '../parts/icon.tsx'
import { Mark } from '../parts/mark.tsx'
import { Menu, MenuItem, MenuLabel, MenuLine } from '../parts/menu.tsx'
import { inEnvironment } from './navigation.ts'
import { useChooseBusiness } from './use-sign-out.ts'

export function BusinessSwitch() {
  const { partner, partners, invitations } = useSession()
  const environment = useEnvironment()
  const choose = useChooseBusiness()
  const navigate = useNavigate()
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="flex w-full items-center gap-3 rounded-lg p-2 text-left hover:bg-selected">
          <Mark name={partner.name} logo={partner.logo_url} />
          <span className="min-w-0 flex-1">
            <span className="block truncate font-semibold">{partner.name}</span>
            <span className="block text-sm text-muted">{environment === 'live' ? 'Live' : 'Sandbox'} · GBP</span>
            <span className="sr-only">Switch business</span>
          </span>
          <Icon name="chevronsUpDown" size={14} className="text-muted" />
        </button>
      }
    >
      <MenuLabel>Your businesses</MenuLabel>
      {partners.map(({ slug, name, role }) => (
        <MenuItem
          key={slug}
          icon={slug === partner.slug ? 'check' : 'building'}
          hint={role === 'admin' ? 'Admin' : 'Viewer'}
          onSelect={() => (slug === partner.slug ? undefined : choose(slug))}
        >
          {name}
        </MenuItem>
      ))}
      {invitations.length === 0 ? null : (
        <MenuItem icon="team" onSelect={() => void navigate({ to: '/choose' })}>
          {invitations.length === 1 ? '1 invitation' : `${invitations.length} invitations`}
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem icon="settings" onSelect={() => void navigate({ to: '/settings' })}>
        Business settings
      </MenuItem>
    </Menu>
  )
}

/** Switching keeps the page; what is not the same in both environments, such as a payout, does not follow. */
export function EnvironmentToggle() {
  const environment = useEnvironment()
  return (
    <div role="group" aria-label="Environment" className="flex rounded-lg bg-sunken p-0.5 dark:bg-surface">
      {(['sandbox', 'live'] as const).map((name) => (
        <Link
          key={name}
          to="."
          search={inEnvironment(name)}
          aria-current={environment === name ? 'true' : undefined}
          className="flex-1 rounded-md px-2 py-1 touch:py-2.5 text-center text-sm text-muted hover:text-ink [&[aria-current]]:bg-surface [&[aria-current]]:font-medium [&[aria-current]]:text-ink dark:[&[aria-current]]:bg-selected"
        >
          {name === 'live' ? 'Live' : 'Sandbox'}
        </Link>
      ))}
    </div>
  )
}
