import type { RecipientDetails } from './transfer.ts'

/** Stands for the last name of a business whose name is one word: the API requires two. */
const NO_MORE = '-'

/** The whole name of a person, or of a business as it is on its account. */
export function recipientName({ type, first_name: first, last_name: last }: RecipientDetails): string {
  return type === 'business' && last.trim() === NO_MORE ? first : `${first} ${last}`
}
