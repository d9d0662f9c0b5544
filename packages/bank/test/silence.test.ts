// A database that says nothing: the bank's connections are neither cut nor answered, and are not waited on for ever.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Door, doorTo } from '../../server/test/support/door.ts'
import { openDatabase } from '../src/storage/database.ts'
import type { Database } from '../src/storage/sql.ts'
import { type BankDatabase, aDatabase } from './support/test-bank.ts'

let books: BankDatabase
let door: Door
let db: Database
const heard: Error[] = []
beforeAll(async () => {
  books = await aDatabase()
  door = await doorTo({ ...books, ownerUrl: books.url })
  db = openDatabase({
    url: door.database.url,
    largestPool: 1,
    onConnectionError: (error) => void heard.push(error),
    // Shorter than in production, and long enough that a busy machine is not taken for a silent one.
    answerWithinMs: 2_000,
  })
  await db.query('create table said (word text)')
})
afterAll(async () => {
  await db.close()
  await door.remove()
  await books.drop()
})

const say = (word: string) => db.inTransaction((tx) => tx.query('insert into said values ($1)', [word]))
const said = async () => (await db.query<{ word: string }>('select word from said order by 1')).map(({ word }) => word)

describe('a connection of the bank that has gone silent', () => {
  it('fails what waits on it, and the next one is another', async () => {
    expect(await said()).toEqual([])
    door.fallSilent()
    await expect(said()).rejects.toThrow('Query read timeout')
    expect(await said()).toEqual([])
  })

  it('in the middle of a transaction leaves nothing of it, and keeps nobody else out', async () => {
    await say('before')
    // A statement's text is sent once per connection, its values every time.
    door.loseAnswerTo('lost')
    // Whichever waits for longer ends the connection: the statement, or the beginning of its transaction.
    await expect(say('lost')).rejects.toThrow(/^(Query read timeout|Connection terminated unexpectedly)$/)
    await say('after')
    expect(await said()).toEqual(['after', 'before'])
  })
})
