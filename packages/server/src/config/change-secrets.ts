// Changes the file of generated secrets: puts a new key in front, or takes old ones out. It is written whole under
// another name that only one writer gets, then renamed: there is always a whole file.
import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { ConfigError } from './config.ts'
import { type SecretsFile, bankSecrets, derivedSecret, readExisting } from './secrets.ts'

/** Makes a new key of each kind; the present ones become older ones. */
export function rotateKeys(dataDir: string): Promise<void> {
  return changeFile(dataDir, (file) => {
    const older = file.older_fingerprint_keys ?? []
    const first = Buffer.from(older.at(-1) ?? file.fingerprint_key, 'hex')
    // In an old file some secrets are derived from the key; they must outlive it.
    const bank = bankSecrets({}, file, first)
    return {
      ...file,
      seal_key: randomBytes(32).toString('hex'),
      fingerprint_key: randomBytes(32).toString('hex'),
      older_seal_keys: [file.seal_key, ...(file.older_seal_keys ?? [])],
      older_fingerprint_keys: [file.fingerprint_key, ...older],
      bank_api_key: bank.sandboxApiKey,
      bank_control_key: bank.controlKey,
      mailbox_token: file.mailbox_token ?? derivedSecret(first, 'mailbox token'),
    }
  })
}

/** Takes older keys out. The newest stay, whatever the caller asks for. */
export function forgetKeys(
  dataDir: string,
  keys: { seal: readonly Buffer[]; fingerprint: readonly Buffer[] },
): Promise<void> {
  const without = (older: readonly string[] = [], gone: readonly Buffer[]) =>
    older.filter((hex) => !gone.some((key) => key.equals(Buffer.from(hex, 'hex'))))
  return changeFile(dataDir, (file) => ({
    ...file,
    older_seal_keys: without(file.older_seal_keys, keys.seal),
    older_fingerprint_keys: without(file.older_fingerprint_keys, keys.fingerprint),
  }))
}

async function changeFile(dataDir: string, change: (file: SecretsFile) => SecretsFile): Promise<void> {
  const path = join(dataDir, 'secrets.json')
  const draft = `${path}.changing`
  const handle = await open(draft, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw new ConfigError([`${draft} is there: somebody else is changing the keys. If nobody is, delete it.`])
  })
  try {
    const file = await readExisting(path)
    if (file === null) throw new ConfigError([`There are no secrets in ${dataDir}.`])
    await handle.writeFile(`${JSON.stringify(change(file), null, 2)}\n`)
    await handle.sync()
    await rename(draft, path)
    await syncFolder(dataDir)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

/**
 * Syncs the folder too, so that a power cut cannot lose a new key after rows were made with it. Not every system can.
 */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
