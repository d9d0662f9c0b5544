import { type Static, Type } from 'typebox'

import { OPTIONAL_FIELDS } from '../../domain/appearances.ts'
import { type RouteContext, listOf } from '../route-context.ts'

const Chosen = Type.Object(
  {
    transfer_id: Type.Optional(Type.String({ format: 'uuid' })),
    without: Type.Optional(Type.Array(Type.Enum([...OPTIONAL_FIELDS]))),
    state: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  },
  // A misspelled name would make a test pass for the wrong reason.
  { additionalProperties: false },
)

/** `/_control/appearances`: fields that are left out of transfers, and a state that they are shown in. */
export function addAppearanceControls({ app, deps: { appearances } }: RouteContext): void {
  const presented = () =>
    listOf(appearances.list().map(({ transferId, ...appearance }) => ({ transfer_id: transferId, ...appearance })))

  app.get('/appearances', async () => presented())

  app.post<{ Body: Static<typeof Chosen> }>('/appearances', { schema: { body: Chosen } }, async ({ body }) => {
    appearances.choose(body.transfer_id ?? null, { without: body.without ?? [], state: body.state ?? null })
    return presented()
  })

  app.delete('/appearances', async () => {
    appearances.clear()
    return presented()
  })
}
