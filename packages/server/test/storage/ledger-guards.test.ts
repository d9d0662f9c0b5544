// What the ledger's tables refuse by themselves, whoever asks: here it is the owner of the database.
import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'
import { type TestPartner, aPartner, createPayout } from '../support/fixtures.ts'
import { type Owner, ownerOf } from './owner.ts'

let test: TestApp
let owner: Owner
let partner: TestPartner
beforeAll(async () => {
  test = await startTestApp()
  owner = await ownerOf(test.database.url)
  partner = await aPartner(test)
  // Something in every account: a payout on its way and one that arrived.
  await createPayout(test, partner)
  test.clock.advance(2_000)
  await test.follow()
  await createPayout(test, partner)
})
afterAll(async () => {
  await owner.end()
  await test.close()
})

const books = async () => ({
  entries: await owner.query('select * from ledger_entries order by partner_id, environment, id'),
  accounts: await owner.query('select * from ledger_accounts order by partner_id, environment, account'),
})

/** Asserts that the database refuses, and that not one figure of the books is another. */
async function refusedWithoutEffect(sql: string, values: readonly unknown[] = []) {
  const before = await books()
  const refusal = await owner.refusal(sql, values)
  expect(await books()).toEqual(before)
  return refusal
}

const POST = `insert into ledger_entries
  (partner_id, environment, cause, kind, seq, from_account, to_account, amount, at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, now())`

function entry(
  overrides: Partial<Record<'environment' | 'cause' | 'kind' | 'from' | 'to', string>> & {
    seq?: number
    amount?: string
  },
) {
  const { environment = 'sandbox', cause = randomUUID(), kind = 'credit', seq = 1, amount = '1' } = overrides
  return [partner.id, environment, cause, kind, seq, overrides.from ?? 'external', overrides.to ?? 'available', amount]
}

describe('an entry', () => {
  it('is there, so that the rest of this file is about something', async () => {
    const { entries } = await books()
    expect(entries.length).toBeGreaterThanOrEqual(6)
  })

  it.each([
    { change: 'update ledger_entries set amount = amount + 1', verb: 'update' },
    { change: 'update ledger_entries set note = note', verb: 'update' },
    { change: 'delete from ledger_entries', verb: 'delete' },
    { change: `delete from ledger_entries where kind = 'credit'`, verb: 'delete' },
    { change: 'truncate ledger_entries', verb: 'truncate' },
    { change: 'truncate ledger_entries cascade', verb: 'truncate' },
    { change: 'truncate partners cascade', verb: 'truncate' },
  ])('is kept for ever: $change', async ({ change, verb }) => {
    const refusal = await refusedWithoutEffect(change)
    expect(refusal.message).toMatch(new RegExp(`is append-only: ${verb} is not allowed$`))
  })

  it('cannot be merged over either', async () => {
    const refusal = await refusedWithoutEffect(
      `merge into ledger_entries t using (select 1) s on t.kind = 'credit' when matched then delete`,
    )
    expect(refusal.message).toBe('ledger_entries is append-only: delete is not allowed')
  })

  it.each([
    { amount: '0', why: 'nothing' },
    { amount: '-1', why: 'less than nothing' },
    { amount: '-9223372036854775808', why: 'far less than nothing' },
  ])('needs a positive amount: $why', async ({ amount }) => {
    const refusal = await refusedWithoutEffect(POST, entry({ amount }))
    expect([refusal.code, refusal.constraint]).toEqual(['23514', 'ledger_entries_amount_check'])
  })

  it('goes from one account to another, not to the same', async () => {
    const refusal = await refusedWithoutEffect(POST, entry({ from: 'external', to: 'external' }))
    expect(refusal.code).toBe('23514')
  })

  it.each([
    { from: 'available', to: 'fees_earned' },
    { from: 'fees_receivable', to: 'available' },
    { from: 'external', to: 'fees_receivable' },
    { from: 'fees_earned', to: 'suspense' },
    { from: 'external', to: 'fees_paid' },
    { from: 'fees_paid', to: 'available' },
  ])('never crosses currencies: $from to $to', async ({ from, to }) => {
    const refusal = await refusedWithoutEffect(POST, entry({ from, to }))
    expect(refusal.code).toBe('23514')
  })

  it.each([
    { kind: 'surplus', from: 'available', to: 'excess_funds' },
    { kind: 'surplus', from: 'paid_out', to: 'excess_funds' },
    { kind: 'top_up', from: 'operator_result', to: 'excess_funds' },
    { kind: 'top_up', from: 'available', to: 'operator_result' },
    { kind: 'top_up_back', from: 'excess_funds', to: 'operator_result' },
    { kind: 'top_up_back', from: 'operator_result', to: 'available' },
    { kind: 'refund_diff', from: 'refund_diff', to: 'available' },
    { kind: 'refund_diff', from: 'available', to: 'refund_diff' },
    { kind: 'credit', from: 'operator_result', to: 'available' },
    { kind: 'adjust', from: 'excess_funds', to: 'available' },
  ])('never lets the operator’s gains and losses touch the partner’s money: $kind $from to $to', async (each) => {
    const refusal = await refusedWithoutEffect(POST, entry(each))
    expect([refusal.code, refusal.constraint]).toEqual(['23514', 'operator_accounts_are_apart'])
  })

  it('of each kind is between the accounts that are its own, and there are no other kinds', async () => {
    const operators = ['excess_funds', 'refund_diff', 'operator_result']
    const ofOperator: Readonly<Record<string, readonly string[]>> = {
      surplus: ['operator_result excess_funds', 'excess_funds operator_result'],
      top_up: ['excess_funds operator_result'],
      top_up_back: ['operator_result excess_funds'],
      refund_diff: [
        'refund_diff operator_result',
        'operator_result refund_diff',
        'external refund_diff',
        'refund_diff external',
      ],
    }
    const others =
      'credit hold release capture settle refund adjust payout_fees monthly_account business_verification network_fees bank_exceptions write_off payment'.split(
        ' ',
      )
    const rows = await owner.query<{ kind: string; from: string; to: string; fits: boolean }>(
      `select kind, source as "from", target as "to", entry_fits_its_kind(kind, source, target) as fits
         from unnest($1::text[]) kind, unnest(enum_range(null::ledger_account)) source,
              unnest(enum_range(null::ledger_account)) target`,
      [[...Object.keys(ofOperator), ...others, 'lost', '']],
    )
    expect(rows).toHaveLength(20 * 13 * 13)
    const mayBe = ({ kind, from, to }: { kind: string; from: string; to: string }) =>
      ofOperator[kind]?.includes(`${from} ${to}`) ??
      (others.includes(kind) && !operators.includes(from) && !operators.includes(to))
    expect(rows.filter((row) => row.fits !== mayBe(row))).toEqual([])
    const refusal = await refusedWithoutEffect(POST, entry({ kind: 'lost' }))
    expect([refusal.code, refusal.constraint]).toEqual(['23514', 'operator_accounts_are_apart'])
  })

  it.each([
    { kind: 'payment', from: 'fees_earned', to: 'fees_paid' },
    { kind: 'payment', from: 'fees_receivable', to: 'fees_earned' },
    { kind: 'write_off', from: 'fees_receivable', to: 'fees_paid' },
    { kind: 'write_off', from: 'fees_paid', to: 'fees_receivable' },
  ])('of what was paid comes from what was receivable, and stays: $kind, $from to $to', async (wanted) => {
    const refusal = await refusedWithoutEffect(POST, entry({ environment: 'live', ...wanted }))
    expect([refusal.code, refusal.constraint]).toEqual(['23514', 'payments_are_of_what_is_receivable'])
  })

  it('of what was paid is never in sandbox', async () => {
    const payment = entry({ kind: 'payment', from: 'fees_receivable', to: 'fees_paid' })
    expect((await refusedWithoutEffect(POST, payment)).constraint).toBe('sandbox_is_never_charged')
  })

  it('needs two accounts that exist', async () => {
    const stranger = [randomUUID(), ...entry({}).slice(1)]
    expect((await refusedWithoutEffect(POST, stranger)).code).toBe('23503')
    expect((await refusedWithoutEffect(POST, entry({ to: 'pocket' }))).code).toBe('22P02')
  })

  it('needs both accounts, also where the others of its batch have them, and leaves no balance changed', async () => {
    const walletOnly = `insert into partners (id, slug, name, created_at)
      values ('0197c5e0-0000-7000-8000-0000000000ab', 'half', 'Half', now());
      insert into wallets (partner_id, environment, created_at)
      values ('0197c5e0-0000-7000-8000-0000000000ab', 'sandbox', now());
      insert into ledger_accounts (partner_id, environment, account)
      values ('0197c5e0-0000-7000-8000-0000000000ab', 'sandbox', 'external');`
    const batch = `insert into ledger_entries
      (partner_id, environment, cause, kind, seq, from_account, to_account, amount, at)
      values ('${partner.id}', 'sandbox', gen_random_uuid(), 'credit', 1, 'external', 'available', 1, now()),
             ('0197c5e0-0000-7000-8000-0000000000ab', 'sandbox', gen_random_uuid(), 'credit', 1, 'external', 'available', 1, now())`
    const refusal = await refusedWithoutEffect(`${walletOnly} ${batch}`)
    expect([refusal.code, refusal.message]).toEqual([
      '23503',
      'an entry needs two accounts that exist: partner 0197c5e0-0000-7000-8000-0000000000ab has no account available in sandbox',
    ])
  })

  it('needs an account also where its batch takes out what it puts in, which changes no balance', async () => {
    const owned = ['external', 'available', 'in_transit']
    const without = `insert into partners (id, slug, name, created_at)
      values ('0197c5e0-0000-7000-8000-0000000000ac', 'through', 'Through', now());
      insert into wallets (partner_id, environment, created_at)
      values ('0197c5e0-0000-7000-8000-0000000000ac', 'sandbox', now());
      insert into ledger_accounts (partner_id, environment, account)
      select '0197c5e0-0000-7000-8000-0000000000ac', 'sandbox', unnest('{${owned.join()}}'::ledger_account[]);
      insert into ledger_entries (partner_id, environment, cause, kind, seq, from_account, to_account, amount, at)
      values ('0197c5e0-0000-7000-8000-0000000000ac', 'sandbox', gen_random_uuid(), 'credit', 1, 'external', 'available', 1, now());`
    const through = (id: string) => `insert into ledger_entries
      (partner_id, environment, cause, kind, seq, from_account, to_account, amount, at)
      values ('${id}', 'sandbox', '${partner.id}', 'hold', 1, 'available', 'held', 1, now()),
             ('${id}', 'sandbox', '${partner.id}', 'capture', 1, 'held', 'in_transit', 1, now())`
    const refusal = await refusedWithoutEffect(`${without} ${through('0197c5e0-0000-7000-8000-0000000000ac')}`)
    expect([refusal.code, refusal.message]).toEqual([
      '23503',
      'an entry needs two accounts that exist: partner 0197c5e0-0000-7000-8000-0000000000ac has no account held in sandbox',
    ])
    const moved = await owner.rolledBack(async () => {
      await owner.query(through(partner.id))
      return owner.query<{ account: string; is_written: boolean }>(
        `select account, xmin = pg_current_xact_id()::xid as is_written from ledger_accounts
          where partner_id = $1 and environment = 'sandbox' and account in ('available', 'held', 'in_transit') order by 1`,
        [partner.id],
      )
    })
    expect(moved).toEqual([
      { account: 'available', is_written: true },
      { account: 'held', is_written: false },
      { account: 'in_transit', is_written: true },
    ])
  })

  it('is looked up once per batch, not once per row: the accounts are locked by no look of their own', async () => {
    const checks = await owner.query<{ on: string }>(
      `select conrelid::regclass::text as on from pg_constraint
        where contype = 'f' and conrelid in ('ledger_entries'::regclass, 'payouts'::regclass)`,
    )
    expect(checks).toEqual([])
  })

  it('needs a kind and a number that mean something', async () => {
    expect((await refusedWithoutEffect(POST, entry({ kind: 'gift' }))).code).toBe('23514')
    expect((await refusedWithoutEffect(POST, entry({ seq: 0 }))).code).toBe('23514')
  })

  it('happens once: the same cause, kind and number are refused, alone and in one statement', async () => {
    const [existing] = await owner.query<{ cause: string; kind: string; seq: number }>(
      `select cause, kind, seq from ledger_entries where partner_id = $1 and kind = 'hold' limit 1`,
      [partner.id],
    )
    const again = entry({ ...existing!, from: 'available', to: 'held' })
    const refusal = await refusedWithoutEffect(POST, again)
    expect([refusal.code, refusal.constraint]).toEqual(['23505', 'ledger_entries_key'])
    const cause = randomUUID()
    const twice = await refusedWithoutEffect(
      `insert into ledger_entries (partner_id, environment, cause, kind, from_account, to_account, amount, at)
       select $1, 'sandbox', $2, 'credit', 'external', 'available', 5, now() from generate_series(1, 2)`,
      [partner.id, cause],
    )
    expect(twice.code).toBe('23505')
  })

  it('happens once even when it is posted in the other environment', async () => {
    const [hold] = await owner.query<{ cause: string }>(
      `select cause from ledger_entries where partner_id = $1 and kind = 'hold' limit 1`,
      [partner.id],
    )
    const elsewhere = entry({ cause: hold!.cause, kind: 'hold', environment: 'live', from: 'external', to: 'held' })
    expect((await refusedWithoutEffect(POST, elsewhere)).code).toBe('23505')
  })

  it('happens once when twenty connections post it at the same moment', async () => {
    const cause = randomUUID()
    const before = await owner.query<{ balance: string }>(
      `select balance from ledger_accounts where partner_id = $1 and environment = 'live' and account = 'external'`,
      [partner.id],
    )
    const connections = await Promise.all(Array.from({ length: 20 }, () => ownerOf(test.database.url)))
    const posted = await Promise.allSettled(
      connections.map((each) =>
        each.query(POST, entry({ cause, environment: 'live', from: 'suspense', to: 'external', amount: '7' })),
      ),
    )
    await Promise.all(connections.map((each) => each.end()))
    expect(posted.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const after = await owner.query<{ balance: string }>(
      `select balance from ledger_accounts where partner_id = $1 and environment = 'live' and account = 'external'`,
      [partner.id],
    )
    expect(BigInt(after[0]!.balance) - BigInt(before[0]!.balance)).toBe(7n)
  })
})

describe('a balance', () => {
  it.each([
    'update ledger_accounts set balance = balance + 1',
    `update ledger_accounts set balance = 0 where account = 'available'`,
    'update ledger_accounts set balance = balance',
    `update ledger_accounts set environment = 'live' where account = 'available'`,
    `insert into ledger_accounts (partner_id, environment, account) select partner_id, environment, account from ledger_accounts
       on conflict (partner_id, environment, account) do update set balance = ledger_accounts.balance + 1`,
    `merge into ledger_accounts t using (select 1) s on t.account = 'available' when matched then update set balance = 0`,
    `merge into ledger_accounts t using (select 1) s on t.account = 'available' when matched then delete`,
    'delete from ledger_accounts',
    `delete from ledger_accounts where account = 'suspense'`,
  ])('is not written by hand: %s', async (sql) => {
    const refusal = await refusedWithoutEffect(sql)
    expect(refusal.message).toBe('ledger balances change through entries only')
  })

  it('is not truncated away', async () => {
    const refusal = await refusedWithoutEffect('truncate ledger_accounts cascade')
    expect(refusal.message).toMatch(/is append-only: truncate is not allowed$/)
  })

  it('keeps its account’s key, also in the hands of another trigger', async () => {
    const refusal = await refusedWithoutEffect(
      `create function move_account() returns trigger language plpgsql as $$ begin
         update ledger_accounts set account = 'suspense' where partner_id = new.id and account = 'available'; return null;
       end $$;
       create trigger move_account after update on partners for each row execute function move_account();
       update partners set name = name where id = '${partner.id}'`,
    )
    expect(refusal.message).toBe('ledger balances change through entries only')
  })

  it.each(['1', '-1', '9223372036854775807'])('does not start at %s', async (balance) => {
    const wallet = `insert into partners (id, slug, name, created_at)
      values ('0197c5e0-0000-7000-8000-0000000000aa', 'guards', 'Guards', now());
      insert into wallets (partner_id, environment, created_at)
      values ('0197c5e0-0000-7000-8000-0000000000aa', 'sandbox', now());`
    const account = `insert into ledger_accounts (partner_id, environment, account, balance)
      values ('0197c5e0-0000-7000-8000-0000000000aa', 'sandbox', 'available', ${balance})`
    const refusal = await refusedWithoutEffect(`${wallet} ${account}`)
    expect(refusal.message).toBe('a ledger account starts at zero: post an entry instead')
  })

  it('follows its entries, both legs, at once', async () => {
    await owner.rolledBack(async () => {
      const read = async () =>
        Object.fromEntries(
          (
            await owner.query<{ account: string; balance: string }>(
              `select account, balance from ledger_accounts where partner_id = $1 and environment = 'live'`,
              [partner.id],
            )
          ).map(({ account, balance }) => [account, BigInt(balance)]),
        )
      const before = await read()
      await owner.query(POST, entry({ environment: 'live', from: 'external', to: 'available', amount: '100' }))
      await owner.query(POST, entry({ environment: 'live', from: 'available', to: 'held', amount: '40', kind: 'hold' }))
      const after = await read()
      expect(after).toEqual({
        ...before,
        external: before['external']! - 100n,
        available: before['available']! + 60n,
        held: before['held']! + 40n,
      })
    })
  })

  it.each(['available', 'held', 'in_transit', 'paid_out'])('of %s is never below nothing', async (account) => {
    const [row] = await owner.query<{ balance: string }>(
      `select balance from ledger_accounts where partner_id = $1 and environment = 'sandbox' and account = $2`,
      [partner.id, account],
    )
    const oneTooMany = (BigInt(row!.balance) + 1n).toString()
    const refusal = await refusedWithoutEffect(POST, entry({ from: account, to: 'suspense', amount: oneTooMany }))
    expect([refusal.code, refusal.constraint]).toEqual(['23514', 'ledger_account_not_overdrawn'])
  })

  it.each(['available', 'held', 'in_transit', 'paid_out'])('of %s may be used to the last unit', async (account) => {
    await owner.rolledBack(async () => {
      const [row] = await owner.query<{ balance: string }>(
        `select balance from ledger_accounts where partner_id = $1 and environment = 'sandbox' and account = $2`,
        [partner.id, account],
      )
      if (BigInt(row!.balance) === 0n) {
        await owner.query(POST, entry({ to: account, amount: '3' }))
        row!.balance = '3'
      }
      await owner.query(POST, entry({ from: account, to: 'suspense', amount: row!.balance, kind: 'release' }))
      const [left] = await owner.query<{ balance: string }>(
        `select balance from ledger_accounts where partner_id = $1 and environment = 'sandbox' and account = $2`,
        [partner.id, account],
      )
      expect(left!.balance).toBe('0')
    })
  })

  it('is not overdrawn in the middle of a statement that ends well: a batch is one movement', async () => {
    await owner.rolledBack(async () => {
      await owner.query(
        `insert into ledger_entries (partner_id, environment, cause, kind, seq, from_account, to_account, amount, at)
         values ($1, 'live', $2, 'hold', 1, 'available', 'held', 10, now()),
                ($1, 'live', $2, 'credit', 1, 'external', 'available', 10, now())`,
        [partner.id, randomUUID()],
      )
      const after = await owner.query(
        `select account, balance from ledger_accounts
          where partner_id = $1 and environment = 'live' and account in ('available', 'held') order by account`,
        [partner.id],
      )
      expect(after).toEqual([
        { account: 'available', balance: '0' },
        { account: 'held', balance: '10' },
      ])
    })
  })
})

describe('a wallet', () => {
  const EMPTY = '0197c5e0-0000-7000-8000-0000000000ac'
  /** A wallet that nothing points at yet, so that only its own guard can refuse. */
  const emptyWallet = `insert into partners (id, slug, name, created_at) values ('${EMPTY}', 'empty', 'Empty', now());
    insert into wallets (partner_id, environment, created_at) values ('${EMPTY}', 'sandbox', now());`

  it.each([
    { change: `delete from wallets where partner_id = '${EMPTY}'`, why: 'delete' },
    {
      change: `update wallets set environment = 'live', rail = 'provider_production' where partner_id = '${EMPTY}'`,
      why: 'update',
    },
    {
      change: `merge into wallets w using (select 1) s on w.partner_id = '${EMPTY}' when matched then delete`,
      why: 'delete',
    },
  ])('stays for ever, so that a look proves that it is there: $change', async ({ change, why }) => {
    const refusal = await refusedWithoutEffect(`${emptyWallet} ${change}`)
    expect(refusal.message).toBe(`a wallet stays with its ledger: ${why} is not allowed`)
  })

  it('is not truncated away', async () => {
    expect((await refusedWithoutEffect('truncate wallets cascade')).message).toMatch(
      /is append-only: truncate is not allowed$/,
    )
  })
})

describe('the trail of what was asked', () => {
  it.each(['update activity set status = 200', 'delete from activity', 'truncate activity'])(
    'is kept for ever: %s',
    async (sql) => {
      await test.deps.activity.flush()
      expect((await owner.query('select 1 from activity')).length).toBeGreaterThan(0)
      const refusal = await owner.refusal(sql)
      expect(refusal.message).toMatch(/^activity(_\w+)? is append-only/)
    },
  )
})
