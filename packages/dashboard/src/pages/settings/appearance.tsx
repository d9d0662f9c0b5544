import { chooseTheme, THEMES, useShortcutsOn, useTheme, writePreference } from '../../app/preferences.ts'
import { Card } from '../../parts/card.tsx'
import { Segments } from '../../parts/tabs.tsx'

/** These settings are kept in this browser only. */
export function Appearance() {
  const theme = useTheme()
  const isOn = useShortcutsOn()
  return (
    <Card title="This browser">
      <div className="grid gap-4">
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <span className="w-40 text-muted">Appearance</span>
          <Segments label="Appearance" value={theme} onChange={chooseTheme} options={THEMES} />
        </div>
        <label className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <span className="w-40 text-muted">Keyboard shortcuts</span>
          <span className="flex items-center gap-2.5">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={isOn}
              onChange={(event) => writePreference('shortcuts', event.target.checked ? null : 'off')}
            />
            Single letters, such as n for a new payout
          </span>
        </label>
      </div>
    </Card>
  )
}
