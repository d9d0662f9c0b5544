// Reads a long list to its end, from a bank that is busy at times.
import { pages } from '../../../core/pages.ts'
import { askPatiently } from './ask-patiently.ts'

export function patientPages<Page extends { readonly next: string | null }>(
  read: (cursor: string | null) => Promise<Page>,
): AsyncGenerator<Page> {
  return pages((cursor) => askPatiently(() => read(cursor)))
}
