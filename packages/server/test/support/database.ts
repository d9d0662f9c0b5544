// A database of its own for each test file: a clone of the migrated template, real in every way.
import pg from 'pg'
import { inject } from 'vitest'

import { TEMPLATE } from './global-setup.ts'

let made = 0

export interface TestDatabase {
  /** As the service connects: with what it needs, and nothing more. */
  readonly url: string
  /** As the owner, who may do whatever the database itself does not refuse. */
  readonly ownerUrl: string
  drop(): Promise<void>
}

export async function cloneDatabase(): Promise<TestDatabase> {
  const name = `test_${process.pid}_${made++}`
  const url = new URL(inject('databaseUrl'))
  const asAdmin = async (sql: string) => {
    url.pathname = '/postgres'
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    try {
      await client.query(sql)
    } finally {
      await client.end()
    }
  }
  await asAdmin(`create database ${name} template ${TEMPLATE}`)
  url.pathname = `/${name}`
  const ownerUrl = url.href
  const service = new URL(inject('serviceUrl'))
  service.pathname = `/${name}`
  return { url: service.href, ownerUrl, drop: () => asAdmin(`drop database ${name} with (force)`) }
}
