import type { FastifyRequest } from 'fastify'

import type { AppError } from '../../core/errors.ts'
import { NotAsAssumed } from '../../domain/api-keys/assumed-holder.ts'

/** What to tell somebody who is refused: as long as it is not certain who asks, that they may not, if so. */
export async function certainly<E>(request: FastifyRequest, refused: E): Promise<E | AppError> {
  try {
    await request.assumed?.prove()
    return refused
  } catch (error) {
    if (error instanceof NotAsAssumed) return error.refusal ?? refused
    throw error
  }
}
