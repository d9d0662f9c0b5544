// The colours of every page: warm paper, ink, and one cobalt accent for what can be followed. Each text colour has a
// contrast of at least 4.5 to 1 on each of the backgrounds.

export const LIGHT = {
  paper: '#fbfaf8',
  surface: '#ffffff',
  sunken: '#f3f1ed',
  line: '#e4e1da',
  ink: '#1a1b1e',
  onInk: '#ffffff',
  muted: '#5c5a55',
  accent: '#2b4bd8',
  accentSoft: '#edf0fe',
  green: '#116b3a',
  red: '#b3261e',
  amber: '#7a5200',
  blue: '#1d4fb8',
  purple: '#6b34a8',
} as const

export const DARK: Record<keyof typeof LIGHT, string> = {
  paper: '#101113',
  surface: '#17181b',
  sunken: '#0b0c0e',
  line: '#2a2c31',
  ink: '#f2f2f0',
  onInk: '#101113',
  muted: '#a5a7ac',
  accent: '#8fa6ff',
  accentSoft: '#1d2547',
  green: '#6fdba0',
  red: '#ff9a91',
  amber: '#f2c566',
  blue: '#8fb6ff',
  purple: '#cba8ff',
}

export type Palette = typeof DARK

export const SANS = '"Geist Variable", "Geist", ui-sans-serif, system-ui, sans-serif'
export const MONO = '"Geist Mono Variable", "Geist Mono", ui-monospace, SFMono-Regular, Menlo, monospace'
