// Callers who are taken for who they were a moment ago, on a route that proves it by what it writes (assumed-holder.ts): their key is
// looked up only where something else is answered.
import type { FastifyRequest } from 'fastify'

import { AppError } from '../../core/errors.ts'
import { type AssumedHolder, NotAsAssumed } from '../../domain/api-keys/assumed-holder.ts'
import type { authenticateKey } from '../../domain/api-keys/authenticate-key.ts'
import type { NetworkGate } from '../limits/network-gate.ts'
import { callerWithKey } from './caller.ts'
import { refuseOtherNetworks } from './key-access.ts'
import { requireAccess } from './route-access.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for as long as it is not certain who asks. */
    assumed: AssumedHolder | null
  }
}

type KeyHolder = Awaited<ReturnType<typeof authenticateKey>>

/** Whether the request may go on as this holder's. Where it would be refused, that is not told by what is only assumed. */
export function mayBeAssumed(request: FastifyRequest, holder: KeyHolder): boolean {
  try {
    requireAll(request, holder, null)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

function requireAll(request: FastifyRequest, holder: KeyHolder, gate: Proving['gate']): void {
  const caller = callerWithKey(holder)
  refuseOtherNetworks(request, caller, gate)
  requireAccess(request, caller)
}

interface Proving {
  /** Finds the holder as it is now, or throws. */
  readonly lookUp: () => Promise<KeyHolder>
  readonly gate: Pick<NetworkGate, 'admitStranger'> | null
}

export function assume(request: FastifyRequest, holder: KeyHolder, proving: Proving): void {
  const { version } = holder
  request.assumed = {
    version,
    isProven: () => void (request.assumed = null),
    prove: async () => {
      if (request.assumed === null) return
      request.assumed = null
      const found = await foundOrRefused(request, proving)
      if (found.version !== version) throw new NotAsAssumed(null)
    },
  }
}

async function foundOrRefused(request: FastifyRequest, { lookUp, gate }: Proving): Promise<KeyHolder> {
  try {
    const holder = await lookUp().catch((error: unknown) => {
      // Whoever has no key is nobody.
      request.caller = null
      throw error
    })
    request.caller = callerWithKey(holder)
    requireAll(request, holder, gate)
    return holder
  } catch (error) {
    throw error instanceof AppError ? new NotAsAssumed(error) : error
  }
}

/** Once more, where the caller turns out to be another than was assumed. */
export async function onceCertain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof NotAsAssumed)) throw error
    if (error.refusal !== null) throw error.refusal
    return work()
  }
}
