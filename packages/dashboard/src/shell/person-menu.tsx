import { chooseTheme, THEMES, useTheme } from '../app/preferences.ts'
import { useSession } from '../app/session.ts'
import { initials } from '../format/people.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from '../parts/menu.tsx'
import { useSignOut } from './use-sign-out.ts'

export function PersonMenu({ onKeyboardHelp }: { onKeyboardHelp: () => void }) {
  const { email, name, role } = useSession()
  const theme = useTheme()
  const leave = useSignOut()
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="flex w-full items-center gap-2.5 rounded-lg p-2 text-left hover:bg-selected">
          <span
            aria-hidden="true"
            className="flex size-7 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
          >
            {initials(name ?? email)}
          </span>
          <span className="min-w-0 flex-1 text-sm">
            <span className="block truncate font-medium">{name ?? email}</span>
            <span className="block text-muted">{role === 'admin' ? 'Admin' : 'Viewer'}</span>
            <span className="sr-only">Your menu</span>
          </span>
          <Icon name="more" className="text-muted" />
        </button>
      }
    >
      <MenuLabel>{email}</MenuLabel>
      <MenuLine />
      <MenuLabel>Appearance</MenuLabel>
      {THEMES.map(({ value, label }) => (
        <MenuChoice key={value} isChosen={theme === value} onSelect={() => chooseTheme(value)}>
          {label}
        </MenuChoice>
      ))}
      <MenuLine />
      <MenuItem icon="keyboard" onSelect={onKeyboardHelp}>
        Keyboard shortcuts
      </MenuItem>
      <MenuItem icon="book" onSelect={() => window.open('/docs', '_blank', 'noopener')}>
        API documentation
      </MenuItem>
      <MenuItem icon="signOut" onSelect={leave}>
        Sign out
      </MenuItem>
    </Menu>
  )
}
