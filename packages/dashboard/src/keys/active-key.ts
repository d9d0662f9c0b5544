import type { ApiKey } from '@kestrel/contract'

/** A key that is being rotated still works, until its time is over. */
export function isActiveKey({ revoked_at, expires_at }: Pick<ApiKey, 'revoked_at' | 'expires_at'>, now: Date): boolean {
  return revoked_at === null && (expires_at === null || Date.parse(expires_at) > now.getTime())
}
