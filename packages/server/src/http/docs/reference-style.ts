// The reference in our colours.
import { DARK, LIGHT, MONO, type Palette, SANS } from './palette.ts'

export const REFERENCE_STYLE = `${variables('.light-mode', LIGHT)}
${variables('.dark-mode', DARK)}
:root { --scalar-font: ${SANS}; --scalar-font-code: ${MONO}; --scalar-radius: 6px; --scalar-custom-header-height: 56px; --scalar-radius-lg: 8px; --scalar-radius-xl: 12px; }
body { margin: 0; background: ${LIGHT.paper}; color: ${LIGHT.ink}; font: 16px/1.5 ${SANS}; }
@media (prefers-color-scheme: dark) { body { background: ${DARK.paper}; color: ${DARK.ink}; } .waiting a { color: ${DARK.accent}; } }
.waiting { max-width: 40rem; margin: 20vh auto 0; padding: 0 16px; }
.t-doc__sidebar button[aria-expanded] { min-width: 24px; min-height: 24px; }
:focus-visible { outline: 2px solid var(--scalar-color-accent); outline-offset: 2px; }
`

/** Our palette under the names that the reference knows. */
function variables(selector: string, palette: Palette): string {
  const values: Readonly<Record<string, string>> = {
    'background-1': palette.paper,
    'background-2': palette.sunken,
    'background-3': palette.line,
    'background-accent': palette.accentSoft,
    'color-1': palette.ink,
    'color-2': palette.muted,
    'color-3': palette.muted,
    'color-accent': palette.accent,
    'border-color': palette.line,
    'color-green': palette.green,
    'color-red': palette.red,
    'color-yellow': palette.amber,
    'color-orange': palette.amber,
    'color-blue': palette.blue,
    'color-purple': palette.purple,
    'button-1': palette.ink,
    'button-1-hover': palette.muted,
    'button-1-color': palette.onInk,
    'link-color': palette.accent,
    'link-color-hover': palette.accent,
    'sidebar-background-1': palette.paper,
    'sidebar-color-1': palette.ink,
    'sidebar-color-2': palette.muted,
    'sidebar-color-active': palette.accent,
    'sidebar-item-hover-background': palette.sunken,
    'sidebar-item-active-background': palette.accentSoft,
    'sidebar-border-color': palette.line,
    'sidebar-search-background': palette.surface,
    'sidebar-search-border-color': palette.line,
    'sidebar-search-color': palette.muted,
  }
  const lines = Object.entries(values).map(([name, value]) => `  --scalar-${name}: ${value};`)
  return `${selector} {\n${lines.join('\n')}\n}`
}
