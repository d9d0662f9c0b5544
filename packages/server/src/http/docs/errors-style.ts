// How /docs/errors looks, in light and in dark, down to the narrowest telephone.
import { DARK, LIGHT, MONO, type Palette, SANS } from './palette.ts'

export const ERRORS_STYLE = `:root { ${variables(LIGHT)} }
@media (prefers-color-scheme: dark) { :root { ${variables(DARK)} } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 16px; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 ${SANS}; -webkit-font-smoothing: antialiased; }
header, main, footer { max-width: 46rem; margin: 0 auto; padding: 0 16px; }
header { padding-top: 24px; }
footer { padding-top: 24px; padding-bottom: 64px; }
a { color: var(--accent); text-underline-offset: 3px; text-decoration-thickness: 1px; }
header a, section h2 a { color: var(--ink); }
/* A line under a code would hide its underscores. */
header a, section h2 a, nav a { text-decoration: none; }
a:hover { text-decoration: underline; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: 16px; top: -48px; background: var(--surface); padding: 8px 12px; border-radius: 6px; }
.skip:focus { top: 8px; }
header a { font-weight: 600; }
h1 { font-size: 30px; line-height: 36px; font-weight: 600; letter-spacing: -0.01em; margin: 24px 0 12px; }
h2 { font-size: 16px; line-height: 24px; font-weight: 600; margin: 0; }
h2 span { color: var(--muted); font-weight: 400; font-variant-numeric: tabular-nums; }
p { margin: 0 0 16px; }
code, pre, section h2 a, nav a { font-family: ${MONO}; font-size: 0.875em; }
code { background: var(--sunken); border-radius: 4px; padding: 1px 4px; overflow-wrap: anywhere; }
pre { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 16px 20px; margin: 0 0 32px; line-height: 1.5; white-space: pre-wrap; }
pre code { background: none; padding: 0; font-size: 1em; }
nav { columns: 2 17rem; column-gap: 24px; margin-bottom: 48px; }
nav div { break-inside: avoid; padding-bottom: 20px; }
nav ul { list-style: none; margin: 4px 0 0; padding: 0; }
nav li a { display: inline-block; padding: 3px 0; }
section { border-top: 1px solid var(--line); padding: 20px 0; }
section h2 { display: flex; flex-wrap: wrap; gap: 0 12px; align-items: baseline; }
section h2 a { font-size: 16px; overflow-wrap: anywhere; }
section:target { background: var(--accent-soft); border-radius: 12px; border-top-color: transparent; margin: 0 -16px; padding: 20px 16px; }
dl { margin: 12px 0 0; display: grid; grid-template-columns: 10rem 1fr; gap: 6px 16px; }
dt { color: var(--muted); }
dd { margin: 0; }
@media (max-width: 560px) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 10px; } }
`

function variables(palette: Palette): string {
  return Object.entries({
    paper: palette.paper,
    surface: palette.surface,
    sunken: palette.sunken,
    line: palette.line,
    ink: palette.ink,
    muted: palette.muted,
    accent: palette.accent,
    'accent-soft': palette.accentSoft,
  })
    .map(([name, value]) => `--${name}: ${value};`)
    .join(' ')
}
