// The section "Alarms" of docs/operations.md, from the catalogue. The rest of that page is written by hand.
import { groupBy } from '../../core/group-by.ts'
import { BREAK_CAUSES } from '../../domain/banking/reconcile/break-causes.ts'
import { ALARM_CATALOGUE } from '../../domain/watch/alarms/alarm-catalogue.ts'
import type { AlarmEntry, AlarmStep } from '../../domain/watch/alarms/alarm-entry.ts'
import { markdownTable } from './markdown.ts'

const HEADING = '\n## Alarms\n'

/** The page with its section of alarms written anew. */
export function withAlarms(page: string): string {
  const start = page.indexOf(HEADING)
  if (start === -1) throw new Error('docs/operations.md has lost its heading "## Alarms": put it back.')
  const next = page.indexOf('\n## ', start + HEADING.length)
  return `${page.slice(0, start)}${HEADING}\n${alarmsMarkdown()}${next === -1 ? '' : page.slice(next)}`
}

function alarmsMarkdown(): string {
  const causes = [...groupBy(Object.entries(BREAK_CAUSES), ([, cause]) => cause)]
  const rows = causes.map(([cause, same]) => [same.map(([check]) => `\`${check}\``).join(', '), cause])
  return `This section is written by \`npm run docs\` from \`packages/server/src/domain/watch/alarms\`: change it there. A test
carries out every procedure in it.

Every alarm is one log line at level \`error\` with the field \`alarm\`, and a row until somebody closes it: \`kestrel alarms
list\` shows what, about which ids, how often and since when; \`kestrel alarms close ID\` says that it was dealt with. Money is
never moved by an alarm; a person decides. What is about a payout has its id and is told once for each cause: \`kestrel payout
show ID\` says how it stands here, what the bank says of it, and what else was told of it. In the commands, \`…\` stands for
the options that each such command needs; see “The operator's commands”.

${Object.entries(ALARM_CATALOGUE).map(paragraph).join('\n')}
### Breaks

What \`kestrel reconcile\` names, and its usual cause:

${markdownTable(['Break', 'Usual cause'], rows)}

Any other name is a check of our own books and says itself what is wrong in them.
`
}

function paragraph([name, { happened, money, steps }]: [string, AlarmEntry]): string {
  return `**${name}.** ${happened} **Money:** ${money}

${steps.map((step, index) => `${index + 1}. ${written(step)}`).join('\n')}
`
}

function written({ say, run }: AlarmStep): string {
  return run === undefined ? say : `${say}: \`${run}\``
}
