import { Type } from 'typebox'

import { READING_NAMES, type ReadingName } from '../../domain/readings.ts'
import type { RouteContext } from '../route-context.ts'

const Chosen = Type.Object(
  Object.fromEntries(READING_NAMES.map((name) => [name, Type.Optional(Type.Boolean())])),
  // A misspelled name would make a test pass for the wrong reason.
  { additionalProperties: false },
)

/** `/_control/readings`: which of two answers the bank gives to what nobody says in public. */
export function addReadingControls({ app, deps: { readings } }: RouteContext): void {
  app.get('/readings', async () => readings.all())

  app.post<{ Body: Partial<Record<ReadingName, boolean>> }>(
    '/readings',
    { schema: { body: Chosen } },
    async ({ body }) => {
      readings.choose(body)
      return readings.all()
    },
  )

  app.delete('/readings', async () => {
    readings.clear()
    return readings.all()
  })
}
