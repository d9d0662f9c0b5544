import { createHash } from 'node:crypto'

/** What the database stores about its first secrets: enough to recognise them, not enough to use them. */
export function secretsCheck(secrets: { readonly sealKey: Buffer; readonly fingerprintKey: Buffer }): Buffer {
  return createHash('sha256')
    .update('kestrel secrets check v1\n')
    .update(secrets.sealKey)
    .update(secrets.fingerprintKey)
    .digest()
}
