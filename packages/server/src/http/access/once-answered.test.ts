import fastify from 'fastify'
import { expect, it } from 'vitest'

import { onceAnswered } from './once-answered.ts'

it('does what is left although one act fails, once per request', async () => {
  const app = fastify()
  const done: string[] = []
  onceAnswered(app, () => {
    throw new Error('broken')
  })
  onceAnswered(app, (request) => void done.push(request.url))
  app.get('/a', async () => 'a')
  expect((await app.inject('/a')).statusCode).toBe(200)
  expect((await app.inject('/nothing')).statusCode).toBe(404)
  expect(done).toEqual(['/a', '/nothing'])
  await app.close()
})
