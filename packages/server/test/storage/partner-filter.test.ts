// The second belt against a forgotten partner: every statement of the program is planned by PostgreSQL, and none may
// read a partner's table without saying whose rows it means, except those that are listed here with their reason.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import type { SqlStatement } from '../../src/storage/sql.ts'
import { type TestDatabase, cloneDatabase } from '../support/database.ts'
import { isAboutRows, makeEveryStatement } from './every-statement.ts'
import { type Owner, ownerOf } from './owner.ts'
import { type Plan, untiedScans } from './partner-filter.ts'

const made = vi.hoisted(() => new Map<string, string>())
vi.mock('../../src/storage/sql.ts', () => ({
  statement: (name: string, text: string): SqlStatement => {
    made.set(name === '' ? text : name, text)
    return { name, text }
  },
}))

const SRC = join(import.meta.dirname, '../../src')

let database: TestDatabase
let owner: Owner
/** The column that says whose a row is, by table. */
let keys: Map<string, string>
beforeAll(async () => {
  database = await cloneDatabase()
  owner = await ownerOf(database.url)
  const rows = await owner.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'partner_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
  )
  keys = new Map([...rows.map(({ name }) => [name, 'partner_id'] as const), ['partners', 'id']])
  // Plans as for large tables. A condition counts even where no index has it.
  await owner.query('set enable_seqscan = off')
  // Bitmap scans may join several conditions with "or"; without them each scan has one condition.
  await owner.query('set enable_bitmapscan = off')
  await owner.query('set plan_cache_mode = force_generic_plan')
  await makeEveryStatement()
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

const untied = async (text: string): Promise<string[]> => {
  const [row] = await owner.query<{ 'QUERY PLAN': Plan[] }>(`explain (generic_plan, verbose, format json) ${text}`)
  return untiedScans(row!['QUERY PLAN'][0]!, (table) => keys.get(table) ?? null)
}

/** Statements that are for nobody in particular, and why that is right. */
const FOR_ALL: Readonly<Record<string, string>> = {
  // Authentication: the caller is found by a secret that only they have.
  key_holder: 'by the hash of a key',
  key_holders: 'by the hashes of keys, each of which is given to whoever has sent it',
  key_holder_version: 'as key_holder',
  key_holder_versions: 'as key_holders',
  key_that_ended: 'by the hash of a key',
  session_holder: 'by the hash of a session',
  valid_credentials: 'by the hashes of keys and sessions, and says nothing more of them',
  end_session_by_token: 'by the hash of a session',
  end_session: 'a person’s own, by their address',
  move_session: 'a person’s own, by their address',
  sessions_of_person: 'a person’s own, by their address',
  memberships_of_person: 'a person’s own, by their address',
  // What the public may see of a partner.
  partner_by_slug: 'by its public name',
  find_logo: 'by its public name',
  // The operator, at the command line.
  list_partners: 'the operator’s list',
  count_partners: 'whether there is anybody yet',
  partner_of_key: 'the operator names a key',
  invoice_by_number: 'the operator names an invoice',
  invoice_of_anybody: 'the operator names an invoice',
  billing_counts: 'the audit of everything',
  wallets_after: 'the audit of everything, wallet by wallet',
  whose_payout: 'the operator names a payout',
  // The worker, which follows everybody; what it finds it then handles partner by partner.
  due_payouts: 'what is due, of everybody',
  due_refund_checks: 'what is due, of everybody',
  expected_excess_funds: 'the comparison with the bank',
  open_top_ups: 'additions from the operator’s own wallet, which is one for all',
  lock_excess_funds: 'the operator’s own wallet',
  lock_alarms: 'the operator’s alarms',
  added_in_vain: 'the operator’s own wallet, and whatever was added from it',
  is_top_up_back: 'the operator names a payout',
  payouts_at_bank_of_anybody: 'the comparison with the bank',
  payouts_at_bank_of_transfers: 'news that names its transfer and no payout',
  payouts_at_bank_of_pairs: 'the comparison with the bank',
  sets_of_payouts_at_bank: 'the comparison with the bank',
  payouts_at_bank_by_end: 'the comparison with the bank',
  answered_transfers: 'the comparison with the bank',
  connected_wallets: 'the comparison with the bank',
  claim_unconnected_wallets: 'the worker connects everybody’s',
  claim_half_connected_wallets: 'the worker completes everybody’s',
  connecting_troubles: 'doctor tells the operator of everybody’s',
  verification_of_holder: 'the bank’s message names its own customer',
  lock_deposits: 'by the bank’s name for them',
  deposits_left_out: 'by the bank’s name for them',
  leave_out_deposit: 'by the bank’s name for it',
  scopes_of_holders: 'whose a deposit is, by the bank’s name for them',
  partner_by_verification: 'whose a verification is, by the bank’s name for it',
  open_verifications: 'verifications that are under way',
  ended_verifications: 'verifications that are looked at again',
  missing_invoices: 'invoices that are due',
  invoices_to_mail: 'invoices that wait to be mailed',
  list_low_balances: 'warnings that are due',
  closed_wallets_with_money: 'an alarm for the operator',
  credited_deposits: 'whether a deposit is in anybody’s wallet, by the bank’s name for it',
  list_risen_balances: 'warnings that are over',
  untold_overdue_invoices: 'invoices that are overdue, of everybody',
  forget_request_bodies: 'what is older than its term',
  chains_with_waiting_activity: 'what waits, of everybody',
  chain_with_unsealed_activity: 'what waits, of everybody',
  take_audit_backfill: 'what waits, of everybody',
  change_payouts: 'the last event of each wallet whose payouts it has changed',
  complete_foretold: 'the last event of each wallet whose payouts it has completed',
  audit_chains_to_sign: 'what is due, of everybody',
  audit_chains_after: 'what is older than its term, chain by chain',
  wallets_with_old_events: 'whose events are to be forgotten',
  partners_to_tell: 'notices that are due',
  logos_as_sent: 'pictures that are drawn anew',
  due_digests: 'notices that were held back and are due',
  take_unmarked_payouts: 'payouts from before recipients were marked',
  busy_webhook_endpoints: 'what is due, of everybody',
  look_for_work: 'whether anything is due, of everybody',
  webhook_endpoints_with_old_deliveries: 'what is older than its term',
  forget_webhook_endpoints: 'what is older than its term',
  forget_webhook_hours: 'what is older than its term',
  oldest_webhook_delivery: 'figures for whoever watches the service',
  take_webhook_secrets_of_older_keys: 'secrets that are moved to newer keys',
  sealed_payouts_after: 'payouts that are moved to newer keys',
  count_key_use: 'how many rows need which key',
  verified_without_wallet: 'what doctor tells the operator',
  wallets_elsewhere: 'doctor counts wallets at a bank that is not their environment’s',
  invitations_of_person: 'a person’s own, by their address',
  unfinished_payouts: 'figures for whoever watches the service',
  queues: 'figures for whoever watches the service',
  queues_due: 'figures for whoever watches the service',
  oldest_payouts_under_way: 'what the operator lists of everybody',
  payouts_of_day: 'figures for whoever watches the service',
  tidy_invitations: 'what has expired',
  tidy_sessions: 'what has expired',
  tidy_confirm_codes: 'what has expired',
}

describe('every statement', () => {
  it('names the partner whose rows it reads or changes, or is listed with its reason', async () => {
    const found: Record<string, string[]> = {}
    for (const [name, text] of made) {
      const scans = isAboutRows(text) ? await untied(text) : []
      if (scans.length > 0) found[name] = scans
    }
    expect(made.size).toBeGreaterThan(120)
    const unlisted = Object.entries(found).filter(([name]) => !(name in FOR_ALL))
    expect(unlisted, 'add the partner, or say in FOR_ALL why everybody is meant').toEqual([])
  })

  it.each([
    'delete from payouts where ctid = $1',
    'delete from payouts where ctid = any(array(select ctid from payouts where id = $1))',
    'update payouts p set reference = $1 from payouts found where p.ctid = found.ctid and found.id = $2',
  ])('that finds rows by their places says whose they are where it looks those up: %s', async (text) => {
    expect(await untied(text)).toHaveLength(1)
  })

  it('on a partner’s table that forgets its partner is caught, each of them', async () => {
    const caught: string[] = []
    const missed: string[] = []
    for (const [name, text] of made) {
      if (!isAboutRows(text) || name in FOR_ALL) continue
      for (const mutant of withoutPartner(text)) {
        const scans = await untied(mutant)
        ;(scans.length > 0 ? caught : missed).push(`${name}: ${mutant}`)
      }
    }
    expect(missed).toEqual([])
    expect(caught.length).toBeGreaterThan(60)
  })
})

describe('the proofs of the books', () => {
  // They compare everybody's rows with each other and answer with what is wrong, to the operator and the worker: there is
  // no partner to name, so what is held is who may ask.
  it('read all partners, and are asked by no request', () => {
    const http = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.startsWith('http/'))
    expect(http.length).toBeGreaterThan(50)
    const asking = http.filter((file) => file.endsWith('.ts') && PROOFS.test(readFileSync(join(SRC, file), 'utf8')))
    expect(asking).toEqual([])
  })
})
const PROOFS = /\/(book-checks|billing-audit|audit-invoices|rollup-checks|rollup-audit|audit-rollups|reconcile)\.ts'/

/**
 * For each condition on the partner, the statement twice: with the condition replaced by one that is always true, and with
 * such a one beside it, after "or".
 */
function withoutPartner(text: string): string[] {
  return [...text.matchAll(/(\w+\.)?partner_id = (\$\d+)(?!\d)/g)].flatMap(({ 0: words, 2: parameter, index }) => {
    const anything = `${parameter}::uuid is not null`
    const [before, after] = [text.slice(0, index), text.slice(index + words.length)]
    return [`${before}${anything}${after}`, `${before}(${words} or ${anything})${after}`]
  })
}
