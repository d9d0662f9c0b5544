// The query of every list that comes in pages: how many per page, and where to begin.
import { Type } from 'typebox'

const DEFAULT_LIMIT = 50

export const PAGE_FIELDS = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 200,
      default: DEFAULT_LIMIT,
      description: 'How many to a page.',
      'x-rule': 'a whole number from 1 to 200',
    }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 64, description: '`next_cursor` of the page before.' })),
}

export function pageAsked(query: { limit?: number; cursor?: string }): { limit: number; cursor: string | null } {
  return { limit: query.limit ?? DEFAULT_LIMIT, cursor: query.cursor ?? null }
}
