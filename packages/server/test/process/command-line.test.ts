// The operator's command line (design, section 8): every command, for people and for programs, and its refusals.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { londonMonth, monthBefore } from '../../src/core/london-month.ts'
import { chargeVerification } from '../../src/domain/charges/charge-verification.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { type Ended, type Home, aHome, freePort, run } from './program.ts'

let home: Home
beforeAll(async () => {
  home = await aHome()
})
afterAll(() => home.leave())

const DIST = join(import.meta.dirname, '../../dist')
const kestrel = (...args: string[]): Promise<Ended> => run(args, home.settings)
const printed = (stdout: string): Ended => ({ code: 0, signal: null, stdout, stderr: '' })
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const DEBIT = ['wallet', 'debit', '--partner', 'acme', '--reason', 'test', '--environment']
const WHOLE_RANGE = { min: '1.00', max_per_payout: '20000.00' }
const CREATE = ['partner', 'create', '--name', 'Acme Ltd']

/** What a command printed for a program: one JSON value and nothing else. */
function json(ended: Ended): unknown {
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(ended.stdout)
}
const partnerIn = (ended: Ended) => (json(ended) as { partner: PartnerShown }).partner

interface PartnerShown {
  readonly id: string
  readonly slug: string
  readonly status: string
  readonly verification_status: string
}
let made: { partner: PartnerShown; sandbox_key: string }

const accounts = () =>
  home.owner.query('select partner_id, environment, account, balance from ledger_accounts order by 1, 2, 3')

describe.sequential('the command line', () => {
  it('has no businesses to begin with', async () => {
    expect(await kestrel('partner', 'list')).toEqual(printed('There are no partners yet.\n'))
  })

  it('creates a business, with its key for a program and for a person', async () => {
    const created = await kestrel(...CREATE, '--slug', 'acme', '--admin-email', 'Ops@Acme.test', '--json')
    made = json(created) as typeof made
    expect(made).toEqual({
      partner: {
        id: expect.stringMatching(UUID),
        slug: 'acme',
        name: 'Acme Ltd',
        status: 'active',
        verification_status: 'not_started',
        contact_email: 'ops@acme.test',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
      sandbox_key: expect.stringMatching(/^kp_sandbox_[a-f0-9]{48}$/),
    })
    const spoken = await kestrel(...CREATE, '--slug', 'bravo')
    expect(spoken).toMatchObject({ code: 0, stderr: '' })
    expect(spoken.stdout).toMatch(
      /^Created Acme Ltd \(bravo\) with 10000\.00 USDC in its sandbox wallet\.\nSandbox key, shown once: kp_sandbox_[a-f0-9]{48}\n$/,
    )
  })

  it('lists and shows them', async () => {
    const [listed, spokenList, shown, spoken] = await inPairs(
      ['partner', 'list', '--json'],
      ['partner', 'list'],
      ['partner', 'show', 'acme', '--json'],
      ['partner', 'show', 'acme'],
    )
    const { partners } = json(listed!) as { partners: PartnerShown[] }
    expect(partners.map(({ slug }) => slug)).toEqual(['acme', 'bravo'])
    expect(spokenList!.stdout).toMatch(/^acme +active +verification not_started +Acme Ltd\nbravo .*\n$/)
    expect(json(shown!)).toEqual({
      partner: made.partner,
      wallets: {
        sandbox: {
          available_usdc: '10000.00',
          held_usdc: '0.00',
          in_transit_usdc: '0.00',
          payout_limits_gbp: WHOLE_RANGE,
        },
        live: { available_usdc: '0.00', held_usdc: '0.00', in_transit_usdc: '0.00', payout_limits_gbp: WHOLE_RANGE },
      },
      live: { open: false, detail: 'verification has not started' },
      active_keys: 1,
    })
    expect(spoken!.stdout.split('\n')).toEqual([
      expect.stringMatching(/^acme /),
      expect.stringMatching(/sandbox +10000\.00 USDC available, 0\.00 held, 0\.00 in transit/),
      expect.stringMatching(/live +0\.00 USDC available/),
      '  live: verification has not started',
      '  1 active key',
      '',
    ])
  })

  it('suspends, activates and verifies', async () => {
    expect(partnerIn(await kestrel('partner', 'suspend', 'acme', '--json'))).toEqual({
      ...made.partner,
      status: 'suspended',
    })
    expect((await kestrel('partner', 'activate', 'acme')).stdout).toMatch(
      /^acme +active +verification not_started .*\n$/,
    )
    const [verified, spokenVerify] = await inPairs(
      ['partner', 'verify', 'acme', '--json'],
      ['partner', 'verify', 'bravo'],
    )
    expect(partnerIn(verified!)).toEqual({
      ...made.partner,
      verification_status: 'approved',
    })
    expect(spokenVerify!.stdout).toMatch(/^bravo +active +verification approved .*\n {2}live: you vouched for it.*\n$/)
    const [spokenSuspend, activated] = await inPairs(
      ['partner', 'suspend', 'bravo'],
      ['partner', 'activate', 'acme', '--json'],
    )
    expect(spokenSuspend!.stdout).toMatch(/^bravo +suspended .*\n$/)
    expect(partnerIn(activated!).status).toBe('active')
  })

  it('creates and revokes keys', async () => {
    const [created, spoken] = await inPairs(
      ['key', 'create', '--partner', 'acme', '--environment', 'live', '--label', 'payroll', '--json'],
      ['key', 'create', '--partner', 'acme', '--environment', 'sandbox'],
    )
    const key = json(created!) as { id: string; secret: string }
    expect(key).toEqual({
      id: expect.stringMatching(UUID),
      environment: 'live',
      key_prefix: key.secret.slice(0, 'kp_live_'.length + 6),
      label: 'payroll',
      created_at: expect.any(String),
      secret: expect.stringMatching(/^kp_live_[a-f0-9]{48}$/),
      note: 'Keep the secret now: it is stored as a hash and cannot be shown again.',
    })
    expect(spoken!.stdout).toMatch(/^kp_sandbox_[a-f0-9]{48}\nid [0-9a-f-]{36}\nKeep the secret now.*\n$/)
    const second = /id ([0-9a-f-]{36})/.exec(spoken!.stdout)![1]!
    const [revoked, spokenRevoke] = await inPairs(
      ['key', 'revoke', key.id.toUpperCase(), '--json'],
      ['key', 'revoke', second],
    )
    expect(json(revoked!)).toEqual({ id: key.id, revoked: true })
    expect(spokenRevoke).toEqual(printed(`Revoked ${second}. It no longer authenticates.\n`))
    const active = await home.owner.query('select id from api_keys where revoked_at is null and partner_id = $1', [
      made.partner.id,
    ])
    expect(active).toHaveLength(1)
  })

  describe.sequential('moves a wallet’s money by hand', () => {
    const move = (kind: string, usdc: string, ...more: string[]) =>
      kestrel(
        'wallet',
        kind,
        '--partner',
        'acme',
        '--environment',
        'sandbox',
        '--usdc',
        usdc,
        '--reason',
        'test',
        ...more,
      )
    const entries = () =>
      home.owner.query(
        `select from_account, amount, note from ledger_entries where partner_id = $1 and note = 'test' order by id`,
        [made.partner.id],
      )

    it('in, through the ledger and with its reason, once for each reference', async () => {
      const credited = {
        partner: 'acme',
        environment: 'sandbox',
        credited_usdc: '250.50',
        balance_usdc: '10250.50',
        reference: 'ticket-17',
      }
      const first = await move('credit', '250.50', '--reference', 'ticket-17', '--json')
      expect(json(first)).toEqual({ ...credited, repeated: false })
      const again = await move('credit', '250.50', '--reference', 'ticket-17', '--json')
      expect(json(again)).toEqual({ ...credited, repeated: true })
      const spoken = await move('credit', '0.01')
      expect(spoken.stdout).toMatch(
        /^Credited 0\.01 USDC to acme in sandbox\. It holds 10250\.51 now\.\nReference: [0-9a-f-]{36}\n$/,
      )
      expect(await entries()).toEqual([
        { from_account: 'external', amount: '250500000', note: 'test' },
        { from_account: 'external', amount: '10000', note: 'test' },
      ])
    })

    it('out, to the millionth and never below nothing, and once when two do it at once', async () => {
      const both = await inPairs(
        ...[1, 2].map(() => [...DEBIT, 'sandbox', '--usdc', '0.000001', '--reference', 'ticket-18', '--json']),
      )
      const results = both.map((ended) => json(ended) as { repeated: boolean; balance_usdc: string })
      expect(results.map((each) => each.balance_usdc)).toEqual(['10250.50', '10250.50'])
      expect(results.map((each) => String(each.repeated)).toSorted()).toEqual(['false', 'true'])
      const before = await entries()
      expect(before).toHaveLength(3)
      expect(before[2]).toEqual({ from_account: 'available', amount: '1', note: 'test' })
      const [tooMuch, other] = await inPairs(
        [...DEBIT, 'sandbox', '--usdc', '99999'],
        [...DEBIT, 'sandbox', '--usdc', '2', '--reference', 'ticket-17'],
      )
      expect([tooMuch!.code, tooMuch!.stderr]).toEqual([
        1,
        'kestrel: The wallet can spend 10250.509999 USDC, so 99999.00 cannot be taken. Nothing was moved.\n',
      ])
      expect([other!.code, other!.stderr]).toEqual([
        1,
        'kestrel: The reference ticket-17 is that of a credit of 250.50 USDC. Nothing was moved.\n',
      ])
      expect(await entries()).toEqual(before)
      // Back to where it was, for what follows.
      expect((await move('debit', '250.509999')).code).toBe(0)
    })
  })

  it('issues the invoices of a month that is over, once', async () => {
    // Acme has been in live since the month before the last, as if a bank had approved it then.
    await home.owner.query(`update partners set verified_at = '${EARLIER}-10T12:00:00Z' where slug = 'acme'`)
    await home.owner.query(`update plans set valid_from = '${EARLIER}-01T00:00:00Z'`)
    const db = openDatabase({
      url: home.settings['DATABASE_URL']!,
      applicationName: 'test',
      largestPool: 1,
      onConnectionError: () => undefined,
    })
    await db.inTransaction((tx) => chargeVerification(tx, made.partner.id))
    await db.close()
    await home.owner.query(`update partners set verification_status = 'not_started' where slug = 'bravo'`)
    const first = `KP-${londonYear()}-000001`
    const issued = json(await kestrel('invoice', 'run', '--month', EARLIER, '--json'))
    // The monthly account and, in the first month, the verification.
    expect(issued).toEqual({
      month: EARLIER,
      issued: [{ partner: 'acme', id: expect.stringMatching(UUID), number: first, total_gbp: '54.00' }],
    })
    const [again, other] = await inPairs(['invoice', 'run', '--month', EARLIER], ['invoice', 'run', '--month', LAST])
    expect(again).toEqual(printed(`${EARLIER}: 0 invoices issued.\n`))
    expect(other!.stdout).toMatch(/^[\d-]{7}: 1 invoice issued\.\n {2}acme +15\.00 GBP {2}KP-\d{4}-000002\n$/)
  })

  it('sets prices from a day on, and shows them', async () => {
    const set = json(
      await kestrel(
        'plan',
        'set',
        'acme',
        '--from',
        '2099-07-01',
        '--monthly-account',
        '9.00',
        '--payout-percent',
        '0.90',
        '--json',
      ),
    )
    expect(set).toMatchObject({
      partner: 'acme',
      plans: [
        { monthly_account_gbp: '15.00', payout_percent: '1.00', network_markup_percent: '10.00' },
        { valid_from: '2099-06-30T23:00:00.000Z', monthly_account_gbp: '9.00', payout_percent: '0.90' },
      ],
    })
    expect(json(await kestrel('plan', 'show', 'acme', '--json'))).toEqual(set)
  })

  it('shows, sets and resets the limits of payouts, by the short name or the id', async () => {
    const set = ['partner', 'limits', 'acme', '--environment', 'live', '--min', '3.00', '--max', '500.00', '--json']
    expect(json(await kestrel(...set))).toEqual({
      partner: 'acme',
      payout_limits_gbp: { sandbox: WHOLE_RANGE, live: { min: '3.00', max_per_payout: '500.00' } },
    })
    const [shown, listed] = await inPairs(['partner', 'limits', made.partner.id], ['partner', 'show', 'acme', '--json'])
    expect(shown).toEqual(
      printed('acme\n  sandbox  1.00 to 20000.00 GBP per payout\n  live     3.00 to 500.00 GBP per payout\n'),
    )
    expect(json(listed!)).toMatchObject({
      wallets: { sandbox: { payout_limits_gbp: WHOLE_RANGE }, live: { payout_limits_gbp: { min: '3.00' } } },
    })
    const [reset] = await inPairs(['partner', 'limits', 'acme', '--reset', '--json'])
    expect(json(reset!)).toEqual({ partner: 'acme', payout_limits_gbp: { sandbox: WHOLE_RANGE, live: WHOLE_RANGE } })
  })

  it('pauses the payouts of a business and lets them go out again', async () => {
    const paused = json(await kestrel('partner', 'pause', 'acme', '--environment', 'sandbox', '--json'))
    expect(paused).toMatchObject({ partner: 'acme', environment: 'sandbox', paused: true })
    expect(paused).toMatchObject({ paused_by: 'the operator of this service' })
    const [resumed] = await inPairs(['partner', 'resume', 'acme', '--environment', 'sandbox'])
    expect(resumed).toEqual(printed('Sandbox payouts of acme go out.\n'))
  })

  it('marks an invoice as paid, another as void, each once, and proves the rest', async () => {
    const [first, second] = [1, 2].map((nth) => `KP-${londonYear()}-00000${nth}`) as [string, string]
    expect(await kestrel('invoice', 'mark-paid', first, '--on', `${LAST}-09`)).toEqual(
      printed(`${first} is paid: 54.00 GBP.\n`),
    )
    expect((await kestrel('invoice', 'void', first, '--reason', 'test')).stderr).toBe(
      `kestrel: ${first} is paid already. Nothing was changed.\n`,
    )
    const voided = json(await kestrel('invoice', 'void', second, '--reason', 'Billed in error', '--json'))
    expect(voided).toMatchObject({ invoice: { number: second, status: 'void', total_gbp: '15.00' } })
    expect((await kestrel('invoice', 'audit')).stdout).toMatch(
      /^The invoices are right: 2 invoices, 0 payouts, 69\.00 GBP; \d+ checks\.\n$/,
    )
  })

  it('closes a business for good', async () => {
    expect((await kestrel('partner', 'close', 'bravo')).stdout).toMatch(/^bravo +closed .*\n$/)
    const [again, refused] = await inPairs(['partner', 'close', 'bravo', '--json'], ['partner', 'activate', 'bravo'])
    expect(partnerIn(again!).status).toBe('closed')
    expect(refused).toMatchObject({ code: 1, stderr: 'kestrel: bravo is closed for good. Nothing was changed.\n' })
  })

  it('keeps what the operator did in the partner’s activity', async () => {
    const rows = await home.owner.query<{ action: string; by: string }>(
      'select action, by from activity where partner_id = $1 order by at, id',
      [made.partner.id],
    )
    expect(new Set(rows.map(({ by }) => by))).toEqual(new Set(['operator']))
    const counts = Object.fromEntries(
      [...new Set(rows.map(({ action }) => action))].map((action) => [
        action,
        rows.filter((row) => row.action === action).length,
      ]),
    )
    expect(counts).toEqual({
      'partner.create': 1,
      'partner.suspend': 1,
      'partner.activate': 2,
      'partner.verify': 1,
      'key.create': 2,
      'key.revoke': 2,
      'wallet.credit': 2,
      'wallet.debit': 2,
      'plan.set': 1,
      'partner.limits': 2,
      'payouts.pause': 1,
      'payouts.resume': 1,
      'invoice.pay': 1,
      'invoice.void': 1,
    })
  })
})

const LAST = monthBefore(londonMonth(new Date()))
const EARLIER = monthBefore(LAST)
const londonYear = () => londonMonth(new Date()).slice(0, 4)

describe('a refusal', () => {
  it.each([
    { args: [...CREATE, '--slug', 'acme'], says: /The slug acme is taken/ },
    { args: [...CREATE, '--slug', 'fees'], says: /The slug fees is the name of a page/ },
    { args: [...CREATE, '--slug', 'No Good'], says: /The slug "No Good" is not allowed/ },
    {
      args: ['partner', 'show', 'nobody', '--json'],
      says: /There is no such partner, payout, key or invoice\. You wrote: partner show nobody --json/,
    },
    {
      args: ['key', 'create', '--partner', 'acme', '--environment', 'mars'],
      says: /--environment must be sandbox or live/,
    },
    { args: ['partner', 'limits', 'acme', '--min', '0.50'], says: /minimum must be between 1\.00 and 20000\.00 GBP/ },
    { args: ['partner', 'limits', 'acme', '--min', '3'], says: /--min must be like 2\.50; it is "3"/ },
    { args: ['partner', 'limits', 'acme', '--reset', '--max', '9.00'], says: /either --reset or --min and --max/ },
    { args: ['key', 'create', '--partner', 'bravo', '--environment', 'live'], says: /live key is available once/ },
    { args: ['key', 'revoke', 'not-an-id'], says: /There is no such partner, payout, key or invoice/ },
    {
      args: ['wallet', 'credit', '--partner', 'acme', '--environment', 'live', '--usdc', '-5.00', '--reason', 'x'],
      says: /--usdc must be more than zero/,
    },
    {
      args: ['wallet', 'credit', '--partner', 'acme', '--environment', 'live', '--usdc', '5.00', '--reason', ' '],
      says: /--reason must say why/,
    },
    {
      args: ['wallet', 'credit', '--partner', 'acme', '--environment', 'live', '--usdc', '5.00', '--reason', 'x'],
      says: /Its live wallet is not open at any bank, so it can hold nothing.*Nothing was credited/,
    },
    {
      args: [...DEBIT, 'live', '--usdc', '5.00', '--reference', 'no spaces'],
      says: /--reference must be 1 to 100 letters, digits or _ : \. -; it is "no spaces"/,
    },
    {
      args: ['bank', 'rewind', '--environment', 'sandbox', '--feed', 'moons', '--to', '2026-11-01T09:30:00Z'],
      says: /--feed must be transfers, bank_deposits, chain_deposits; it is "moons"/,
    },
    {
      args: ['bank', 'rewind', '--environment', 'sandbox', '--feed', 'transfers', '--to', '2026-11-01 09:30'],
      says: /--to must be a moment with its zone/,
    },
    {
      args: ['bank', 'rewind', '--environment', 'live', '--feed', 'transfers', '--to', '2026-11-01T09:30:00Z'],
      says: /No live bank's transfers have been read yet/,
    },
    { args: ['plan', 'set', 'acme'], says: /Say which price is to change/ },
    { args: ['plan', 'set', 'acme', '--payout-fixed', '1'], says: /--payout-fixed must be like 0\.99; it is "1"/ },
    { args: ['plan', 'set', 'acme', '--payout-fixed', '1.00', '--from', '2020-01-01'], says: /A plan begins now/ },
    { args: ['plan', 'set', 'acme', '--payout-fixed', '1.00', '--from', '2026-02-30'], says: /--from must be a day/ },
    { args: ['invoice', 'mark-paid', 'KP-2020-000001'], says: /There is no such partner, payout, key or invoice/ },
    {
      args: ['payout', 'exception', 'not-an-id', '--partner', 'acme', '--type', 'recall'],
      says: /There is no such partner, payout, key or invoice/,
    },
    {
      args: ['payout', 'exception', 'x', '--partner', 'acme', '--type', 'theft'],
      says: /--type must be recall or trace/,
    },
    {
      args: ['payout', 'exception', 'x', '--partner', 'acme', '--type', 'trace', '--cost', '2.5'],
      says: /--cost must be like 2\.50; it is "2\.5"/,
    },
    { args: ['invoice', 'run', '--month', '2026-13'], says: /--month must be like 2026-10/ },
    { args: ['invoice', 'run', '--month', '2999-01'], says: /2999-01 is not over yet/ },
  ])('is one clear line on stderr, a non-zero exit, and nothing moves: $args', async ({ args, says }) => {
    const before = [await accounts(), await home.owner.query('select * from api_keys order by id')]
    const ended = await kestrel(...args)
    expect(ended.code).toBe(/There is no such/.test(ended.stderr) ? 4 : 1)
    expect(ended.stdout).toBe('')
    expect(ended.stderr).toMatch(says)
    expect(ended.stderr).toMatch(args.includes('--json') ? /^\{"error":[^\n]+\n$/ : /^kestrel: [^\n]+\n$/)
    expect([await accounts(), await home.owner.query('select * from api_keys order by id')]).toEqual(before)
  })

  it('of what is no command at all says where to look', async () => {
    const [unknown, incomplete] = await inPairs(['fly'], ['partner', 'create', '--name', 'Acme Ltd'])
    for (const ended of [unknown!, incomplete!]) {
      expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 2, stdout: '' })
      expect(ended.stderr).toContain('(--help shows what there is)')
    }
    expect(unknown!.stderr).toContain(`unknown command 'fly'`)
    expect(incomplete!.stderr).toContain(`'--slug <slug>' not specified`)
  })

  it('of a value that is given twice says which, and nothing moves', async () => {
    const before = await accounts()
    const credit = ['wallet', 'credit', '--partner', 'acme', '--environment', 'sandbox', '--reason', 'x']
    const [spoken, asked] = await inPairs(
      [...credit, '--usdc', '5.00', '--usdc', '500.00'],
      [...credit, '--usdc=5.00', '--usdc=5.00', '--json'],
    )
    for (const ended of [spoken!, asked!]) {
      expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 2, stdout: '' })
      expect(ended.stderr).toContain('--usdc is given twice. Give it once.')
    }
    expect(JSON.parse(asked!.stderr)).toMatchObject({ error: {} })
    expect(await accounts()).toEqual(before)
  })
})

describe('help', () => {
  it('of a command is the same however it is asked for, and has its subcommands', async () => {
    const [asked, given] = await inPairs(['help', 'key'], ['key', '--help'])
    expect(asked).toEqual(given)
    expect(asked!.stdout).toContain('revoke [options] <id>')
  })

  it('loads nothing of the service', () => {
    const sizes = [...loadedAtOnce('kestrel.mjs').values()]
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300_000)
  })
})

/** The files of the built program that one of them loads before it does anything, with their sizes. */
function loadedAtOnce(name: string, found = new Map<string, number>()): Map<string, number> {
  if (found.has(name)) return found
  const text = readFileSync(join(DIST, name), 'utf8')
  found.set(name, text.length)
  for (const [, imported] of text.matchAll(/^(?:import|export) [^;]*?"\.\/([^"]+)";/gm)) loadedAtOnce(imported!, found)
  return found
}

describe.sequential('whether all is well', () => {
  it('is what doctor says: a tick for what is well, another mark for what is missing, and exit 1 for what is wrong', async () => {
    const port = String(await freePort())
    const [checked, spoken] = await Promise.all([
      run(['doctor', '--json'], { ...home.settings, PORT: port }),
      run(['doctor'], { ...home.settings, PORT: port }),
    ])
    expect([checked.code, checked.stderr, spoken.code, spoken.stderr]).toEqual([1, '', 1, ''])
    const { checks } = JSON.parse(checked.stdout) as { checks: { name: string; status: string; ok: boolean }[] }
    expect(checks.map(({ name, status, ok }) => [name, status, ok])).toEqual([
      ['Node', 'ok', true],
      ['Data directory', 'ok', true],
      ['Secrets', 'ok', true],
      ['Port', 'ok', true],
      ['Schema', 'ok', true],
      ['Keys', 'ok', true],
      ['Database', 'ok', true],
      ['Database role', 'warning', true],
      ['Durability', 'problem', false],
      ['Checksums', 'ok', true],
      ['Clock', 'ok', true],
      ['Sandbox bank', 'warning', true],
      ['Live bank', 'warning', true],
      ['Verified', 'warning', true],
      ['Connecting', 'ok', true],
      ['Mail', 'warning', true],
      ['Invoices', 'warning', true],
      ['Modulus table', 'warning', true],
      ['Worker', 'warning', true],
      ['Alarms', 'ok', true],
      ['Proxies', 'ok', true],
    ])
    const marks = spoken.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(0, 1))
    expect(marks).toEqual([
      '✔',
      '✔',
      '✔',
      '✔',
      '✔',
      '✔',
      '✔',
      '!',
      '✖',
      '✔',
      '✔',
      '!',
      '!',
      '!',
      '✔',
      '!',
      '!',
      '!',
      '!',
      '✔',
      '✔',
    ])
  })

  it('is what alarms say: each is listed until it is closed, and doctor tells of it', async () => {
    await home.owner.query(
      `insert into alarms (id, what, about, first_seen_at, last_seen_at, count)
       values ('01a1dfce-0000-7000-8000-000000000001', 'the rail threw', '{"payoutId": "p-1"}', now(), now(), 7)`,
    )
    const [listed, spoken, doctor] = await inPairs(['alarms', 'list', '--json'], ['alarms', 'list'], ['doctor'])
    const { alarms } = json(listed!) as { alarms: { id: string }[] }
    expect(alarms).toMatchObject([{ alarm: 'the rail threw', about: { payoutId: 'p-1' }, count: 7, closed_at: null }])
    expect(spoken!.stdout).toMatch(
      /^the rail threw: 7 times, first .*\n {2}payoutId p-1\n {2}kestrel alarms close 01a1/,
    )
    expect(doctor!.stdout).toMatch(/^✖ Alarms +the rail threw\. /m)
    expect((await kestrel('alarms', 'close', alarms[0]!.id)).stdout).toBe('Closed: the rail threw.\n')
    const [again, none] = await inPairs(['alarms', 'close', alarms[0]!.id], ['alarms', 'list'])
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no open alarm') })
    expect(none).toEqual(printed('There are no open alarms.\n'))
  })

  it('changes the keys: the next start has new ones, and needs the old until no row does', async () => {
    interface Shown {
      readonly keys: { purpose: string; id: string; state: string; rows: number }[]
      readonly is_moving: boolean
    }
    const status = async () => json(await kestrel('secrets', 'status', '--json')) as Shown
    const file = join(home.dataDir, 'secrets.json')
    const secrets = () =>
      JSON.parse(readFileSync(file, 'utf8')) as Record<string, string> & { older_seal_keys: string[] }
    const before = secrets()
    const states = async () => (await status()).keys.map(({ purpose, state }) => `${purpose} ${state}`)
    expect(await states()).toEqual(['seal newest', 'fingerprint newest'])
    const given = { KESTREL_SEAL_KEY: before['seal_key']!, KESTREL_FINGERPRINT_KEY: before['fingerprint_key']! }
    const told = await run(['secrets', 'rotate'], { ...home.settings, ...given })
    expect(told.stdout).toContain('put the value of KESTREL_SEAL_KEY in front of KESTREL_SEAL_KEYS_OLD')
    expect(secrets()).toEqual(before)
    expect((await kestrel('secrets', 'rotate')).stdout).toMatch(/^There are new keys in .*\nStart the service again\./)
    const now = secrets()
    expect([now.older_seal_keys, now['database_password']]).toEqual([[before['seal_key']], before['database_password']])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await states()).toEqual(['seal new', 'seal newest', 'fingerprint new', 'fingerprint newest'])
    // A second change before a start: the keys between were never anybody's.
    expect((await kestrel('secrets', 'rotate')).code).toBe(0)
    const latest = secrets()['seal_key']!
    expect((await kestrel('migrate')).code).toBe(0)
    const each = (purpose: string) => ['unused', 'newest', 'older'].map((state) => `${purpose} ${state}`)
    expect(await states()).toEqual([...each('seal'), ...each('fingerprint')])
    const spoken = await kestrel('secrets', 'status')
    expect(spoken.stdout).toMatch(/^seal +[0-9a-f]{8} {2}newest: \d+ rows? needs? it$/m)
    expect(spoken.stdout).not.toContain(before['seal_key'])
    expect(await kestrel('secrets', 'forget')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('still being'),
    })
    await home.owner.query('update resealing set finished_at = now()')
    await home.owner.query('delete from mails')
    await home.owner.query('alter table payouts disable trigger user')
    await home.owner.query('update payouts set fingerprint_key = (select newest_key($1))', ['fingerprint'])
    await home.owner.query('alter table payouts enable trigger user')
    const forgotten = json(await kestrel('secrets', 'forget', '--json')) as { forgotten: object[] }
    const gone = ['seal', 'seal', 'fingerprint', 'fingerprint']
    expect(forgotten.forgotten).toMatchObject(gone.map((purpose) => ({ purpose })))
    expect(secrets()).toMatchObject({ seal_key: latest, older_seal_keys: [] })
    expect((await kestrel('migrate')).code).toBe(0)
    expect(await states()).toEqual(['seal newest', 'seal retired', 'fingerprint newest', 'fingerprint retired'])
  })

  it('is what reconcile says of sound books', async () => {
    const [checked, spoken] = await inPairs(['reconcile', '--json'], ['reconcile'])
    expect(json(checked!)).toEqual({ checked_at: expect.any(String), breaks: [] })
    expect(spoken).toEqual(printed('The books are right.\n'))
  })

  it('is not what reconcile says of a ledger that was tampered with: it names the place and exits 1', async () => {
    await home.owner.query('alter table ledger_accounts disable trigger ledger_balances_follow_entries')
    await home.owner.query(
      `update ledger_accounts set balance = balance + 1
        where partner_id = $1 and environment = 'sandbox' and account = 'available'`,
      [made.partner.id],
    )
    await home.owner.query('alter table ledger_accounts enable trigger ledger_balances_follow_entries')
    const [checked, spoken] = await inPairs(['reconcile', '--json'], ['reconcile'])
    expect([checked!.code, checked!.stderr, spoken!.code, spoken!.stderr]).toEqual([1, '', 1, ''])
    const { breaks } = JSON.parse(checked!.stdout) as { breaks: object[] }
    expect(breaks).toEqual([
      {
        check: 'balance_is_not_the_sum_of_its_entries',
        partner_id: made.partner.id,
        environment: 'sandbox',
        about: null,
        detail: 'available: balance 10000000001, entries 10000000000',
      },
      {
        check: 'ledger_does_not_sum_to_zero',
        partner_id: made.partner.id,
        environment: 'sandbox',
        about: null,
        detail: 'sum 1',
      },
    ])
    expect(spoken!.stdout).toContain(`balance_is_not_the_sum_of_its_entries (sandbox, ${made.partner.id})`)
  })
})

/** Commands that do not depend on each other, two at a time. */
async function inPairs(...commands: string[][]): Promise<Ended[]> {
  const ended: Ended[] = []
  for (let index = 0; index < commands.length; index += 2) {
    ended.push(...(await Promise.all(commands.slice(index, index + 2).map((args) => kestrel(...args)))))
  }
  return ended
}
