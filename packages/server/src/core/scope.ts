// Partner and environment belong together in every key, read and uniqueness rule, so they travel as one value.
import type { Environment } from '@kestrel/contract'

export interface Scope {
  readonly partnerId: string
  readonly environment: Environment
}

export function scopeKey(scope: Scope): string {
  return `${scope.partnerId}/${scope.environment}`
}
