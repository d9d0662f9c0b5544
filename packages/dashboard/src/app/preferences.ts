// Small choices that stay in this browser: theme, shortcuts, what was hidden. Never anything about money.
import { useSyncExternalStore } from 'react'

export type ThemeChoice = 'system' | 'light' | 'dark'

export const THEMES: readonly { readonly value: ThemeChoice; readonly label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

const watchers = new Set<() => void>()

function read(name: string): string | null {
  try {
    return localStorage.getItem(`kestrel.${name}`)
  } catch {
    return null
  }
}

export function writePreference(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`kestrel.${name}`)
    else localStorage.setItem(`kestrel.${name}`, value)
  } catch {
    // Storage is switched off: the choice lasts until the page is left.
  }
  if (name === 'theme') applyTheme()
  watchers.forEach((watcher) => watcher())
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export function usePreference(name: string): string | null {
  return useSyncExternalStore(watch, () => read(name))
}

export function useTheme(): ThemeChoice {
  const choice = usePreference('theme')
  return choice === 'light' || choice === 'dark' ? choice : 'system'
}

export const chooseTheme = (choice: ThemeChoice) => writePreference('theme', choice === 'system' ? null : choice)

/** WCAG 2.1.4: shortcuts of one letter can be switched off. */
export const useShortcutsOn = () => usePreference('shortcuts') !== 'off'

const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)')

function applyTheme(): void {
  const choice = read('theme')
  const isDark = choice === 'dark' || (choice !== 'light' && systemIsDark().matches)
  document.documentElement.classList.toggle('dark', isDark)
}

export function followSystemTheme(): void {
  systemIsDark().addEventListener('change', applyTheme)
}
