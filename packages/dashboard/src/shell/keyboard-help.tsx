import { useShortcutsOn, writePreference } from '../app/preferences.ts'
import { Dialog } from '../parts/dialog.tsx'
import { PAGES } from './navigation.ts'

const GENERAL = [
  { keys: '⌘ K or Ctrl K', does: 'Search and commands' },
  { keys: '/', does: 'Search on this page' },
  { keys: 'n', does: 'New payout' },
  { keys: 'j and k', does: 'Next and previous row' },
  { keys: 'Enter', does: 'Open the row' },
  { keys: 'Esc', does: 'Close what is open' },
  { keys: '?', does: 'This list' },
]

export default function KeyboardHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const isOn = useShortcutsOn()
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose} width="wide">
      <div className="grid gap-x-8 sm:grid-cols-2">
        <Shortcuts title="Anywhere" rows={GENERAL} />
        <Shortcuts title="Go to" rows={PAGES.map(({ letter, label }) => ({ keys: `g then ${letter}`, does: label }))} />
      </div>
      <label className="mt-4 flex items-center gap-2.5 border-t border-line pt-4">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={isOn}
          onChange={(event) => writePreference('shortcuts', event.target.checked ? null : 'off')}
        />
        Single-letter shortcuts
      </label>
    </Dialog>
  )
}

function Shortcuts({ title, rows }: { title: string; rows: readonly { keys: string; does: string }[] }) {
  return (
    <section>
      <h3 className="mb-1 text-sm font-medium text-muted">{title}</h3>
      <dl className="divide-y divide-line">
        {rows.map(({ keys, does }) => (
          <div key={does} className="flex justify-between gap-4 py-1.5">
            <dt>{does}</dt>
            <dd>
              <kbd className="rounded border border-line px-1.5 font-mono text-xs whitespace-nowrap">{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
