import { noColour, type Paint } from './colour.ts'
import { TERMINAL_WIDTH, fit, padEnd, wrapLines } from './text.ts'

// scripts/lib/step-line.mjs draws the same line before this is built; a test compares the two.
const LABEL_WIDTH = 17
const DETAIL_WIDTH = 46
const TIME_WIDTH = 12
const INDENT = '    '
const MESSAGE_WIDTH = TERMINAL_WIDTH - INDENT.length

export interface Step {
  readonly label: string
  readonly detail: string
  readonly ms: number
}

/** One finished step of the start, such as `✔ PostgreSQL 18.4  embedded, port 5499   1.4 s`. */
export function renderStep({ label, detail, ms }: Step, paint: Paint = noColour): string {
  const name = padEnd(fit(label, LABEL_WIDTH - 1), LABEL_WIDTH)
  const text = padEnd(fit(detail, DETAIL_WIDTH), DETAIL_WIDTH)
  const time = formatDuration(ms).padStart(TIME_WIDTH)
  return `  ${paint.green('✔')} ${name}${text}${paint.dim(time)}`
}

/** Something worth knowing that is not a failure, such as `3000 is in use; using 3001`. */
export function renderNote(text: string, paint: Paint = noColour): string {
  const [first = '', ...rest] = wrapLines(text, MESSAGE_WIDTH)
  const lines = [`  ${paint.yellow('!')} ${first}`, ...rest.map((line) => INDENT + line)]
  return lines.join('\n')
}

/** The step that failed, with the reason wrapped beside its label. */
export function renderFailure(label: string, message: string, paint: Paint = noColour): string {
  const indent = ' '.repeat(INDENT.length + LABEL_WIDTH)
  const [first = '', ...rest] = wrapLines(message, TERMINAL_WIDTH - indent.length)
  const name = padEnd(fit(label, LABEL_WIDTH - 1), LABEL_WIDTH)
  const lines = [`  ${paint.red('✖')} ${paint.bold(name)}${first}`]
  return [...lines, ...rest.map((line) => indent + line)].join('\n')
}

export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
