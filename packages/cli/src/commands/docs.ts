// What an error code means, from what this program brought along: it needs no service.
import type { Context } from '../command.ts'
import { misuse } from '../failure.ts'
import { ERROR_PAGES } from '../generated/error-pages.ts'
import { nearest } from '../nearest.ts'

export async function run({ args, out }: Context): Promise<void> {
  const [code] = args
  if (code === undefined) {
    const columns = [
      { title: 'CODE', of: (page: (typeof ERROR_PAGES)[number]) => page.code },
      { title: 'STATUS', of: (page: (typeof ERROR_PAGES)[number]) => String(page.status) },
    ]
    return out.table(ERROR_PAGES, columns, '')
  }
  const page = ERROR_PAGES.find((each) => each.code === code)
  if (page === undefined) {
    const close = nearest(
      code,
      ERROR_PAGES.map((each) => each.code),
    )
    throw misuse(
      `There is no error code "${code}".${close === null ? '' : ` Did you mean ${close}?`}`,
      'kestrel-pay docs lists all.',
    )
  }
  out.record({ object: 'error_page', ...page }, [
    ['Code', page.code],
    ['Status', String(page.status)],
    ['What happened', page.happened],
    ['Did money move?', page.money],
    ['What to do', page.todo],
  ])
}
