// The database as its owner sees it: a plain connection that may do whatever the database itself does not refuse.
import { randomBytes } from 'node:crypto'

import pg from 'pg'
import { expect, inject } from 'vitest'

/** How long a test waits for what another connection does: the machine may be busy. */
export const PATIENT = { timeout: 10_000 } as const

export type Row = Record<string, unknown>

export interface Owner {
  query<T extends Row = Row>(sql: string, values?: readonly unknown[]): Promise<T[]>
  /** Does the work in a transaction that is always taken back. */
  rolledBack<T>(work: () => Promise<T>): Promise<T>
  /** The error with which the database refuses a statement; fails when it does not refuse. */
  refusal(sql: string, values?: readonly unknown[]): Promise<pg.DatabaseError>
  end(): Promise<void>
}

/** The owner's connection to the database of the given address, without a proxy in between. */
export async function ownerOf(url: string): Promise<Owner> {
  const own = new URL(inject('databaseUrl'))
  own.pathname = new URL(url).pathname
  const client = new pg.Client({ connectionString: own.href })
  await client.connect()
  const query: Owner['query'] = async <T extends Row>(sql: string, values: readonly unknown[] = []) =>
    (await client.query(sql, [...values])).rows as T[]
  const rolledBack: Owner['rolledBack'] = async (work) => {
    await client.query('begin')
    try {
      return await work()
    } finally {
      await client.query('rollback')
    }
  }
  return {
    query,
    rolledBack,
    refusal: (sql, values) =>
      rolledBack(async () => {
        const outcome = await query(sql, values).then(
          () => null,
          (error: unknown) => error,
        )
        expect(outcome, `not refused: ${sql}`).toBeInstanceOf(pg.DatabaseError)
        return outcome as pg.DatabaseError
      }),
    end: () => client.end(),
  }
}

/** A database with nothing in it at all, not even our tables, unless a template is named. */
export async function emptyDatabase(template = 'template0'): Promise<{ url: string; drop: () => Promise<void> }> {
  const url = new URL(inject('databaseUrl'))
  const name = `empty_${process.pid}_${randomBytes(4).toString('hex')}`
  url.pathname = '/postgres'
  const admin = url.href
  const asAdmin = async (sql: string) => {
    const owner = await ownerOf(admin)
    try {
      await owner.query(sql)
    } finally {
      await owner.end()
    }
  }
  await asAdmin(`create database ${name} template ${template} strategy file_copy`)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: async () => {
      await asAdmin(`drop database ${name} with (force)`)
      // A program that served on it has had a bank beside it.
      await asAdmin(`drop database if exists ${name}_bank with (force)`)
    },
  }
}
