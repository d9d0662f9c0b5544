import { DARK, LIGHT, MONO, SANS } from '../docs/palette.ts'

const colours = (palette: Record<'paper' | 'surface' | 'line' | 'ink' | 'muted', string>) => `
body { background: ${palette.paper}; color: ${palette.ink}; }
details { background: ${palette.surface}; border-color: ${palette.line}; }
iframe { border-color: ${palette.line}; }
summary span, pre { color: ${palette.muted}; }`

export const MAILBOX_STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 32px 16px; font: 16px/1.5 ${SANS}; }
main { max-width: 720px; margin: 0 auto; }
details { border: 1px solid; border-radius: 8px; margin: 12px 0; padding: 12px 16px; overflow-wrap: anywhere; }
summary { cursor: pointer; }
summary span { display: block; font-size: 14px; }
iframe { width: 100%; height: 420px; border: 1px solid; border-radius: 6px; margin-top: 12px; }
pre { font: 13px/1.5 ${MONO}; white-space: pre-wrap; }
${colours(LIGHT)}
@media (prefers-color-scheme: dark) {${colours(DARK)} }
`
