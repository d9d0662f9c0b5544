// The guides: Markdown files beside the program, read when they are first asked for.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Guide {
  readonly name: string
  readonly title: string
  readonly summary: string
}

/** In the order in which a newcomer reads them. */
export const GUIDES: readonly Guide[] = [
  { name: 'quickstart', title: 'Quickstart', summary: 'Pay, be told, and handle a return, in fifteen minutes.' },
  { name: 'idempotency', title: 'Idempotency', summary: 'How one order is paid once, whatever breaks.' },
  { name: 'statuses', title: 'Statuses', summary: 'The six statuses, which are final, and how to follow a payout.' },
  { name: 'testing', title: 'Testing', summary: 'Every ending on demand, with test money.' },
  { name: 'webhooks', title: 'Webhooks', summary: 'Events sent to you: signed, in order, and tried again.' },
  {
    name: 'command-line',
    title: 'Command line',
    summary: 'Pay, test and receive events from a terminal, without a public address.',
  },
  { name: 'going-live', title: 'Going live', summary: 'What to have in place before real money.' },
]

/** The address that the files name, for those who read them in the repository. */
const WRITTEN_FOR = 'http://localhost:3000'

/** Where the files are, and the address that callers use. */
export interface GuidesFrom {
  readonly folder: string
  readonly publicUrl: string
}

export async function guideMarkdown(name: string, { folder, publicUrl }: GuidesFrom): Promise<string> {
  const text = await readFile(join(folder, `${name}.md`), 'utf8')
  return text.replaceAll(WRITTEN_FOR, publicUrl)
}
