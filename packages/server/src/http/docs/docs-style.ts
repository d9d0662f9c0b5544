// How our own pages of documentation look, in light and in dark, down to the narrowest telephone.
import { DARK, LIGHT, MONO, type Palette, SANS } from './palette.ts'

export interface FontVersions {
  readonly sans: string
  readonly mono: string
}

/** The typeface, the colours, and the bar at the top: the reference, which has a style of its own, has them too. */
export function barStyle(fonts: FontVersions): string {
  return `@font-face { font-family: "Geist Variable"; font-weight: 100 900; font-display: swap; src: url("fonts/geist.woff2?v=${fonts.sans}") format("woff2"); }
@font-face { font-family: "Geist Mono Variable"; font-weight: 100 900; font-display: swap; src: url("fonts/geist-mono.woff2?v=${fonts.mono}") format("woff2"); }
:root { ${variables(LIGHT)} }
@media (prefers-color-scheme: dark) { :root { ${variables(DARK)} } }
.bar { box-sizing: border-box; position: sticky; top: 0; z-index: 20; display: flex; align-items: center; gap: 0 24px; height: 56px; padding: 0 24px; background: var(--paper); border-bottom: 1px solid var(--line); font: 16px/24px ${SANS}; }
.bar a { color: var(--muted); text-decoration: none; padding: 6px 0; white-space: nowrap; }
.bar a:hover { color: var(--ink); }
.bar a.home { color: var(--ink); font-weight: 600; }
.bar nav { display: flex; gap: 20px; }
.bar a[aria-current] { color: var(--ink); box-shadow: inset 0 -2px var(--accent); }
.bar .out { margin-left: auto; }
@media (max-width: 760px) {
  .bar { padding: 0 16px; gap: 0 14px; font-size: 15px; }
  .bar nav { gap: 14px; }
  .bar a.home { overflow: hidden; text-overflow: ellipsis; }
}
@media (max-width: 560px) { .bar a.home { display: none; } }
`
}

const FRAME = `* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 72px; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 ${SANS}; -webkit-font-smoothing: antialiased; }
a { color: var(--accent); text-underline-offset: 3px; text-decoration-thickness: 1px; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: 16px; top: -48px; background: var(--surface); padding: 8px 12px; border-radius: 6px; z-index: 2; }
.skip:focus { top: 8px; }
.columns { display: grid; grid-template-columns: 12rem minmax(0, 46rem); gap: 0 48px; max-width: 68rem; margin: 0 auto; padding: 0 24px; }
.side { padding-top: 36px; }
.side ul { list-style: none; margin: 0; padding: 0; position: sticky; top: 92px; }
.side a { display: block; padding: 5px 10px; margin-left: -10px; border-radius: 6px; color: var(--muted); text-decoration: none; }
.side a:hover { color: var(--ink); background: var(--sunken); }
.side a[aria-current] { color: var(--accent); background: var(--accent-soft); }
main { min-width: 0; padding-bottom: 64px; }
footer { border-top: 1px solid var(--line); margin-top: 48px; padding-top: 16px; font-size: 14px; }
@media (max-width: 760px) {
  .columns { grid-template-columns: minmax(0, 1fr); padding: 0 16px; }
  .side { padding-top: 16px; }
  .side ul { position: static; display: flex; flex-wrap: wrap; gap: 0 4px; }
  .side a { margin: 0; }
}
`

const TEXT = `h1 { font-size: 32px; line-height: 40px; font-weight: 600; letter-spacing: -0.015em; margin: 32px 0 12px; }
h2 { font-size: 20px; line-height: 28px; font-weight: 600; letter-spacing: -0.01em; margin: 40px 0 8px; }
h2 a { color: inherit; text-decoration: none; }
p, ul, ol { margin: 0 0 16px; }
main ul, main ol { padding-left: 22px; }
li { margin-bottom: 4px; }
code, pre { font-family: ${MONO}; font-size: 0.875em; }
code { background: var(--sunken); border-radius: 4px; padding: 1px 4px; overflow-wrap: anywhere; }
pre { position: relative; background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 16px 20px; margin: 0 0 20px; line-height: 1.6; overflow-x: auto; }
pre code { background: none; padding: 0; font-size: 1em; overflow-wrap: normal; }
pre.wraps code { white-space: pre-wrap; overflow-wrap: anywhere; }
.copied { position: relative; }
.copied button { position: absolute; top: 8px; right: 8px; font: 500 13px/20px ${SANS}; color: var(--muted); background: var(--surface); border: 1px solid var(--line); border-radius: 6px; padding: 3px 10px; cursor: pointer; }
.copied button:hover { color: var(--ink); }
.wide { overflow-x: auto; margin: 0 0 20px; }
table { border-collapse: collapse; width: 100%; font-size: 15px; line-height: 22px; }
th { text-align: left; font-weight: 500; color: var(--muted); }
th, td { padding: 8px 16px 8px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td code { overflow-wrap: normal; }
@media (max-width: 760px) { .wide table { min-width: 34rem; } .copied button { position: static; margin: -12px 0 20px; } }
`

/** The list of codes, and one section per code. */
const ERRORS = `nav.codes { columns: 2 17rem; column-gap: 24px; margin: 32px 0 48px; }
nav.codes div { break-inside: avoid; padding-bottom: 20px; }
nav.codes h2 { font-size: 16px; line-height: 24px; margin: 0; }
nav.codes ul { list-style: none; margin: 4px 0 0; padding: 0; }
/* A line under a code would hide its underscores. */
nav.codes a { display: inline-block; padding: 2px 0; font-family: ${MONO}; font-size: 0.875em; text-decoration: none; }
h2 span { color: var(--muted); font-weight: 400; font-size: 16px; font-variant-numeric: tabular-nums; }
section { border-top: 1px solid var(--line); padding: 20px 0; }
section h2 { display: flex; flex-wrap: wrap; gap: 0 12px; align-items: baseline; margin: 0; }
section h2 a { font-family: ${MONO}; font-size: 16px; overflow-wrap: anywhere; }
section:target { background: var(--accent-soft); border-radius: 12px; border-top-color: transparent; margin: 0 -16px; padding: 20px 16px; }
dl { margin: 12px 0 0; display: grid; grid-template-columns: 10rem 1fr; gap: 6px 16px; }
dt { color: var(--muted); }
dd { margin: 0; }
@media (max-width: 560px) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 10px; } }
`

const WELCOME = `.welcome { max-width: 46rem; margin: 0 auto; padding: 12vh 24px 64px; }
.welcome h1 { font-size: 40px; line-height: 48px; margin-top: 0; }
.welcome .lead { font-size: 20px; line-height: 30px; color: var(--muted); margin-bottom: 32px; }
.welcome .ways { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 16px; margin-bottom: 40px; }
.welcome .ways a { display: block; height: 100%; padding: 16px 20px; background: var(--surface); border: 1px solid var(--line); border-radius: 12px; color: var(--ink); text-decoration: none; }
.welcome .ways a:hover { border-color: var(--accent); }
.welcome .ways strong { display: block; font-weight: 600; color: var(--accent); }
.welcome .ways span { color: var(--muted); }
`

/** The page behind the link on a receipt. */
const RECEIPT = `.receipt { max-width: 38rem; margin: 0 auto; padding: 10vh 24px 64px; }
.receipt .from { color: var(--muted); font-weight: 600; margin: 0; }
.receipt h1 { margin-top: 8px; }
.receipt .lead { font-size: 20px; line-height: 30px; overflow-wrap: anywhere; }
.receipt .outcome { padding: 12px 16px; border: 1px solid var(--line); border-left: 4px solid var(--muted); border-radius: 8px; background: var(--surface); font-weight: 500; }
.receipt .outcome.good { border-left-color: var(--accent); }
.receipt .note { color: var(--muted); }
.receipt dl { border-top: 1px solid var(--line); padding-top: 16px; margin: 24px 0; }
.receipt dd { overflow-wrap: anywhere; }
`

export const DOCS_STYLE = `${FRAME}${TEXT}${ERRORS}${WELCOME}${RECEIPT}`

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
