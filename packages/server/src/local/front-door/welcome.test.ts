import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { paintFor } from './colour.ts'
import { columns } from './text.ts'
import { renderWelcome } from './welcome.ts'

const KEY = `kp_sandbox_${'0a'.repeat(24)}`

const later = {
  version: '1.3.0',
  apiUrl: 'http://127.0.0.1:3000',
  docsUrl: 'http://127.0.0.1:3000/docs',
  logFile: '.kestrel/kestrel.log',
  exampleAmount: '25.00',
  isFirstStart: false,
}

const first = {
  ...later,
  dashboardUrl: 'http://127.0.0.1:3000/dashboard',
  mailboxUrl: 'http://127.0.0.1:3000/mailbox',
  signInEmail: 'demo@thistle.test',
  partnerName: 'Thistle Market',
  sandboxKey: KEY,
  isFirstStart: true,
}

describe('the first start', () => {
  const lines = renderWelcome(first).split('\n')

  test('names every address, aligned, and the key, once outside the command', () => {
    expect(lines.slice(0, 14)).toEqual([
      '  Kestrel Payouts 1.3.0 is ready for its first payout',
      '',
      '  API        http://127.0.0.1:3000',
      '  Docs       http://127.0.0.1:3000/docs',
      '  Dashboard  http://127.0.0.1:3000/dashboard',
      '  Sign in    as demo@thistle.test; the code comes to the mailbox below',
      '  Mailbox    http://127.0.0.1:3000/mailbox',
      '  Log        .kestrel/kestrel.log',
      '',
      '  Sandbox key for Thistle Market (shown once)',
      `  ${KEY}`,
      '',
      '  Paste this to send 25.00 GBP to somebody made up:',
      '',
    ])
  })

  test('fits in 80 columns', () => {
    expect(Math.max(...lines.map(columns))).toBeLessThanOrEqual(80)
  })

  test('its command, pasted into a shell, sends the right request', () => {
    const start = lines.findIndex((line) => line.includes('KEY='))
    const command = lines.slice(start, lines.indexOf('', start)).join('\n')
    // A curl that prints its arguments, each between markers.
    const script = `curl() { printf '<%s>\\n' "$@"; }\n${command}\n`
    const output = execFileSync('sh', ['-u'], { input: script, encoding: 'utf8' })
    const args = [...output.matchAll(/<([^>]*)>\n/g)].map((match) => match[1] ?? '')
    expect(args.slice(0, 4)).toEqual(['-sS', 'http://127.0.0.1:3000/v1/payouts', '-H', `Authorization: Bearer ${KEY}`])
    expect(args[5]).toBe('Idempotency-Key: order-1042')
    expect(args.slice(6, 9)).toEqual(['-H', 'Content-Type: application/json', '-d'])
    expect(args).toHaveLength(10)
    expect(JSON.parse(args[9] ?? '')).toEqual({
      amount_gbp: '25.00',
      reference: 'Invoice 1042',
      recipient: {
        first_name: 'Amara',
        last_name: 'Okafor',
        address: { line1: '1 High Street', city: 'Leeds', postal_code: 'LS1 4AP' },
        bank: { bank_name: 'Monzo', sort_code: '040004', account_number: '12345678' },
      },
    })
  })
})

test('with a mail server, the code comes where mail goes', () => {
  const { mailboxUrl: _none, ...sent } = first
  const lines = renderWelcome(sent).split('\n')
  expect(lines).toContain('  Sign in    as demo@thistle.test; the code comes to its mailbox')
  expect(lines.filter((line) => line.includes('/mailbox'))).toEqual([])
})

test('a later start shows no key and says how to make another', () => {
  const text = renderWelcome(later)
  expect(text).toBe(
    [
      '  Kestrel Payouts 1.3.0 is running',
      '',
      '  API        http://127.0.0.1:3000',
      '  Docs       http://127.0.0.1:3000/docs',
      '  Log        .kestrel/kestrel.log',
      '',
      '  Need another sandbox key?',
      '',
      '  npx kestrel key create --partner thistle-market \\',
      '    --environment sandbox --label laptop',
      '',
      '  Ctrl-C stops it. The data stays for the next start.',
    ].join('\n'),
  )
})

test('colour marks the title and the key, and never the command', () => {
  const lines = renderWelcome(first, paintFor({ isTTY: true }, {})).split('\n')
  expect(lines[0]).toContain('\u001b[1mKestrel Payouts 1.3.0\u001b[22m')
  const start = lines.findIndex((line) => line.includes('KEY='))
  const command = lines.slice(start, lines.indexOf('', start)).join('\n')
  expect(command).not.toContain('\u001b')
})
