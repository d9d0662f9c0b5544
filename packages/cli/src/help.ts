// What `--help` prints.
import type { Command, Option } from './command.ts'
import { GLOBAL_OPTIONS, usageOf } from './read-arguments.ts'

const EXITS = `Exit codes: 0 done, 1 refused, 2 used wrongly, 3 not known whether it happened, 4 not authorised.
`

export function overview(commands: readonly Command[]): string {
  const rows = commands.map((each): [string, string] => [usageOf(each), each.summary])
  return `Kestrel Payouts from a terminal. HTTP only: it needs a key, and the address of the service.

Usage: kestrel-pay COMMAND [OPTIONS]

${aligned(rows)}

Options of every command:
${optionLines(GLOBAL_OPTIONS)}

On a terminal you see tables; piped, one JSON object per line. ${EXITS}`
}

export function helpFor(command: Command): string {
  const { summary, options = [], about = [], examples = [] } = command
  const parts = [
    `${summary}\n`,
    `Usage: kestrel-pay ${usageOf(command)}${options.length > 0 ? ' [OPTIONS]' : ''}\n`,
    ...(command.args ?? []).flatMap(({ name, choices }) =>
      choices === undefined ? [] : [`${name}: ${choices.join(', ')}\n`],
    ),
    ...about.map((paragraph) => `${paragraph}\n`),
    ...(options.length > 0 ? [`Options:\n${optionLines(options)}\n`] : []),
    `Options of every command:\n${optionLines(GLOBAL_OPTIONS)}\n`,
    ...(examples.length > 0 ? [`Examples:\n${examples.map((each) => `  kestrel-pay ${each}\n`).join('')}`] : []),
    EXITS,
  ]
  return parts.join('\n')
}

function optionLines(options: readonly Option[]): string {
  return aligned(
    options.map(({ name, value, summary }) => [`--${name}${value === undefined ? '' : ` ${value}`}`, summary]),
  )
}

function aligned(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}
