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
  await clone(name, TEMPLATE)
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
  await clone(name, BANK_TEMPLATE)
  return { url: urlOf(inject('databaseUrl'), name), drop: () => asAdmin(`drop database ${name} with (force)`) }
}

/** File by file: page by page through the log, as PostgreSQL does it unless told, costs three times as much. */
const clone = (name: string, template: string) =>
  asAdmin(`create database ${name} template ${template} strategy file_copy`)

let admin: Promise<pg.Client> | undefined

/** One connection for all databases of a worker: opening one costs half of what a clone does. */
async function asAdmin(sql: string): Promise<void> {
  admin ??= openAdmin().catch((error: unknown) => {
    admin = undefined
    throw error
  })
  await (await admin).query(sql)
}

async function openAdmin(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: urlOf(inject('databaseUrl'), 'postgres') })
  // The server ends before the worker does.
  client.on('error', () => {
    admin = undefined
  })
  await client.connect()
  return client
}

function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
