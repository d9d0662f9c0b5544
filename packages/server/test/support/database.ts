// Databases of its own for each test file: clones of the migrated templates, real in every way.
import pg from 'pg'
import { inject } from 'vitest'

import { BANK_TEMPLATE, TEMPLATE } from './global-setup.ts'

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
  await asAdmin(`create database ${name} template ${TEMPLATE}`)
  return {
    url: urlOf(inject('serviceUrl'), name),
    ownerUrl: urlOf(inject('databaseUrl'), name),
    drop: () => asAdmin(`drop database ${name} with (force)`),
  }
}

export interface BankDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** The sandbox bank's books, without the bank's migrating them once more: its own tests do that. */
export async function cloneBankDatabase(): Promise<BankDatabase> {
  const name = `bank_${process.pid}_${made++}`
  await asAdmin(`create database ${name} template ${BANK_TEMPLATE}`)
  return { url: urlOf(inject('databaseUrl'), name), drop: () => asAdmin(`drop database ${name} with (force)`) }
}

async function asAdmin(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(inject('databaseUrl'), 'postgres') })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
