// What the operator looks at, how commands end for programs, and what a shell completes.
import { execFileSync } from 'node:child_process'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { signedIn } from '../support/sessions.ts'
import { aLiveBank, paid } from '../billing/live-bank.ts'
import { issueDueInvoices } from '../../src/domain/billing/issue-invoices.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { type Kestrel, commandsOn } from '../support/commands.ts'
import { type TestPartner, aPartner, createPayout, inLive } from '../support/fixtures.ts'
import { type Home, aHome, freePort, run } from './program.ts'

describe('an operator lists', () => {
  let test: TestApp
  let kestrel: Kestrel
  let partner: TestPartner
  let other: TestPartner
  beforeAll(async () => {
    test = await startTestApp({ liveRail: aLiveBank(() => test.clock.now()) })
    kestrel = commandsOn(test, { baseUrl: 'http://127.0.0.1:1/v0', apiKey: 'sk-test' })
    partner = await aPartner(test)
    other = await aPartner(test)
  })
  afterAll(() => test.close())
  const of = (slug = partner.slug) => ['--partner', slug]

  it('keys, and never a secret', async () => {
    const listed = await kestrel('key', 'list', ...of())
    expect(listed).toEqual({
      partner: partner.slug,
      keys: [expect.objectContaining({ id: partner.keyId, environment: 'sandbox', revoked_at: null })],
    })
    expect(JSON.stringify(listed)).not.toContain(partner.key)
  })

  it('wallets, both or one', async () => {
    const empty = { held_usdc: '0.00', in_transit_usdc: '0.00' }
    const sandbox = { environment: 'sandbox', available_usdc: '10000.00', ...empty }
    expect(await kestrel('wallet', 'show', ...of(), '--environment', 'sandbox')).toEqual({
      partner: partner.slug,
      wallets: [sandbox],
    })
    expect(await kestrel('wallet', 'show', ...of())).toMatchObject({
      wallets: [sandbox, { environment: 'live', available_usdc: '0.00' }],
    })
  })

  it('payouts of a business by status, and everybody’s that have not ended, the oldest first', async () => {
    const [held, failed] = ['sandbox:hold', 'sandbox:fail'].map((reference) =>
      createPayout(test, partner, { reference }),
    )
    const ids = [(await held!).json<{ id: string }>().id, (await failed!).json<{ id: string }>().id]
    test.clock.advance(60_000)
    await test.follow()
    const late = (await createPayout(test, other, { reference: 'sandbox:late' })).json<{ id: string }>().id
    const inSandbox = ['--environment', 'sandbox']
    expect(await kestrel('payout', 'list', ...of(), ...inSandbox, '--status', 'failed')).toMatchObject({
      payouts: [{ id: ids[1], partner: partner.slug, status: 'failed', amount_gbp: '25.00' }],
    })
    expect(await kestrel('payout', 'list', '--under-way', ...inSandbox)).toMatchObject({
      payouts: [
        { id: ids[0], partner: partner.slug, status: 'processing' },
        { id: late, partner: other.slug, status: 'pending' },
      ],
    })
    expect(await kestrel('payout', 'list', '--under-way', ...inSandbox, '--most', '1')).toMatchObject({
      payouts: [{ id: ids[0] }],
    })
    expect(await kestrel('payout', 'list', '--under-way')).toEqual({ payouts: [] })
    for (const wrong of [['--most', '0'], ['--status', 'lost'], []]) {
      const asked = wrong.length === 0 ? [] : of()
      await expect(kestrel('payout', 'list', ...asked, ...wrong)).rejects.toThrow(
        /--most must|--status must|Say --partner/,
      )
    }
  })

  it('invoices, and the people of a team', async () => {
    await paid(test, await inLive(test, partner, '500.00'))
    test.clock.advance(40 * 24 * 60 * 60_000)
    const [issued] = await issueDueInvoices(test.deps)
    expect(await kestrel('invoice', 'list', ...of())).toMatchObject({
      invoices: [{ number: issued!.number, status: 'issued', total_gbp: expect.stringMatching(/^\d+\.\d\d$/) }],
    })
    await signedIn(test, partner, { role: 'viewer' })
    const { members } = (await kestrel('member', 'list', ...of())) as { members: { role: string }[] }
    expect(members.map(({ role }) => role)).toContain('viewer')
  })

  it('nothing of a business that is not there', async () => {
    for (const command of [
      ['key', 'list'],
      ['wallet', 'show'],
      ['invoice', 'list'],
      ['member', 'list'],
      ['payout', 'list'],
    ]) {
      await expect(kestrel(...command, ...of('nobody'))).rejects.toThrow(/partner|not here|no such|found|nothing/i)
    }
  })
})

describe('a command ends with', () => {
  let home: Home
  beforeAll(async () => {
    home = await aHome()
  })
  afterAll(() => home.leave())
  const ends = async (args: readonly string[], settings: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await run([...args, '--json'], { ...home.settings, ...settings })
    expect(stdout).toBe('')
    return { code, error: (JSON.parse(stderr) as { error: object }).error }
  }

  it('2 for what is no command or option', async () => {
    expect(await ends(['fly'])).toMatchObject({ code: 2, error: { kind: 'usage', message: "unknown command 'fly'" } })
    expect(await ends(['key', 'list'])).toMatchObject({ code: 2, error: { kind: 'usage', exit_code: 2 } })
  })

  it('3 for settings, 4 for what is not there, 1 for what is refused', async () => {
    expect(await ends(['partner', 'list'], { PORT: 'x' })).toMatchObject({ code: 3, error: { kind: 'settings' } })
    expect(await ends(['partner', 'show', 'nobody'])).toMatchObject({ code: 4, error: { kind: 'not_found' } })
    expect(await ends(['invoice', 'run', '--month', '2026-13'])).toMatchObject({ code: 1, error: { kind: 'refused' } })
  })

  it('5 for a database that cannot be asked', async () => {
    const url = new URL(home.settings['DATABASE_URL']!)
    url.port = String(await freePort())
    expect(await ends(['partner', 'list'], { DATABASE_URL: url.href })).toMatchObject({
      code: 5,
      error: { kind: 'database' },
    })
  })

  it('0 for its version and its help, whatever the environment says', async () => {
    const broken = { PORT: 'x', DATABASE_URL: 'nonsense', DATA_DIR: '/nowhere/at/all' }
    const [version, help] = [await run(['--version'], broken), await run(['payout', 'list', '--help'], broken)]
    expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' })
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('--under-way'), stderr: '' })
  })

  it('a script with which bash completes commands, subcommands and options', async () => {
    const { code, stdout } = await run(['completion', 'bash'], {})
    expect(code).toBe(0)
    const completed = (...words: readonly string[]) => {
      const typed = words.map((word) => `'${word}'`).join(' ')
      const script = `${stdout}\nCOMP_WORDS=(kestrel ${typed}); COMP_CWORD=${words.length}; _kestrel; echo "\${COMPREPLY[@]}"`
      return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split(' ')
    }
    expect(completed('pay')).toEqual(['payout'])
    expect(completed('payout', 'l')).toEqual(['list'])
    expect(completed('payout', 'list', '--und')).toEqual(['--under-way'])
    for (const shell of ['zsh', 'fish']) expect((await run(['completion', shell], {})).stdout).toContain('payout')
  })
})
