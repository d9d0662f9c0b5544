// A long list, read to its end from a bank that is busy now and then.
import { pages } from '../../core/pages.ts'
import { askPatiently } from './ask-patiently.ts'

export function patientPages<Page extends { readonly next: string | null }>(
  read: (cursor: string | null) => Promise<Page>,
): AsyncGenerator<Page> {
  return pages((cursor) => askPatiently(() => read(cursor)))
}
