// The private keys of webhooks. A webhook has one for ever, and reading it costs more than a message is worth; so does sending it
// here with each message. A bank has a few webhooks.
import { type KeyObject, createPrivateKey } from 'node:crypto'

import type { Db } from '../storage/sql.ts'
import { findPrivateKey } from '../storage/webhooks.ts'

export class SigningKeys {
  readonly #db: Db
  readonly #keys = new Map<string, KeyObject>()

  constructor(db: Db) {
    this.#db = db
  }

  async of(webhookId: string): Promise<KeyObject> {
    const key = this.#keys.get(webhookId) ?? createPrivateKey(await findPrivateKey(this.#db, webhookId))
    this.#keys.set(webhookId, key)
    return key
  }
}
