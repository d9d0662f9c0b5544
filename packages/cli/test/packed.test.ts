// The command as somebody installs it: alone, offline, quick to start; and every line of its README is true.
import { type ExecFileOptions, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type BankApp, startBankApp } from '../../server/test/support/bank-app.ts'

const ROOT = join(import.meta.dirname, '../../..')
const run = promisify(execFile)
const project = mkdtempSync(join(tmpdir(), 'kestrel-cli-'))
const command = join(project, 'node_modules/.bin/kestrel-pay')

let app: BankApp
let env: Record<string, string>
const over = new AbortController()
beforeAll(async () => {
  const { stdout } = await run(process.execPath, [join(ROOT, 'scripts/pack-cli.mjs'), '--to', join(project, 'packed')])
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true }))
  const offline = ['--offline', '--no-audit', '--no-fund', '--cache', join(project, 'cache')]
  await run('npm', ['install', ...offline, stdout.trim()], { cwd: project })
  app = await startBankApp()
  env = {
    PATH: `${join(project, 'node_modules/.bin')}:${process.env['PATH']}`,
    HOME: project,
    KESTREL_URL: await app.listen(),
    KESTREL_KEY: (await app.aConnectedPartner()).key,
  }
  void bringNews()
})
afterAll(async () => {
  over.abort()
  await app.close()
  rmSync(project, { recursive: true, force: true })
})

/** As the worker does. */
async function bringNews(): Promise<void> {
  while (!over.signal.aborted) {
    await app.pass(500).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

async function kestrelPay(words: readonly string[], options: ExecFileOptions = {}): Promise<Ended> {
  try {
    const { stdout, stderr } = await run(command, words, { env, ...options })
    return { code: 0, stdout: String(stdout), stderr: String(stderr) }
  } catch (error) {
    return error as Ended
  }
}

describe('the package', () => {
  it('installs offline into an empty project, and brings nothing along', () => {
    expect(readdirSync(join(project, 'node_modules/@kestrel'))).toEqual(['cli'])
    const installed = join(project, 'node_modules/@kestrel/cli')
    const { dependencies, scripts, bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<
      string,
      unknown
    >
    expect({ dependencies, scripts, bin }).toEqual({ bin: { 'kestrel-pay': 'kestrel-pay.cjs' } })
    expect(readdirSync(installed).toSorted()).toEqual(['README.md', 'kestrel-pay.cjs', 'package.json'])
  })

  it('says its version and its commands, and exits as it should', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
    expect(await kestrelPay(['--version'])).toEqual({ code: 0, stdout: `kestrel-pay ${version}\n`, stderr: '' })
    expect((await kestrelPay([])).stdout).toContain('payouts list')
    expect((await kestrelPay(['pay'])).code).toBe(2)
    expect((await kestrelPay(['balance', '--key', `kp_sandbox_${'0'.repeat(48)}`])).code).toBe(4)
    expect((await kestrelPay(['pay', '19999.00', '--idempotency-key', 'too-large'])).code).toBe(1)
  })

  it('ends quietly when nobody reads on, and with Ctrl-C when it listens', async () => {
    const piped = await run('bash', ['-c', 'set -o pipefail; kestrel-pay completion bash | head -1'], { env })
    expect(piped.stderr).toBe('')
    const listening = spawn(command, ['listen'], { env })
    let said = ''
    listening.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
    await expect.poll(() => said).toContain('Listening')
    listening.kill('SIGINT')
    expect(await once(listening, 'close')).toEqual([0, null])
  })

  it.each([
    ['goes away', '| true'],
    ['has no room', '> /dev/full'],
  ])('says on stderr what was paid when the reader %s', async (what, where) => {
    const key = `unread-${what.replaceAll(' ', '-')}`
    const script = `set -o pipefail; kestrel-pay pay 25.00 --idempotency-key ${key} ${where}`
    const ended = await run('bash', ['-c', script], { env }).catch((error: unknown) => error)
    const { code, stderr } = ended as Ended
    expect(code).toBe(3)
    expect(stderr).toMatch(new RegExp(`Payout [\\w-]{36} was made, with the idempotency key ${key}`))
  })

  it('completes commands and options in bash', async () => {
    const complete = async (typed: readonly string[]) => {
      const words = typed.map((word) => `'${word}'`).join(' ')
      const script = `source <(kestrel-pay completion bash); COMP_WORDS=(kestrel-pay ${words}); COMP_CWORD=${typed.length}; _kestrel_pay; echo "\${COMPREPLY[@]}"`
      return (await run('bash', ['-c', script], { env })).stdout.trim()
    }
    expect(await complete(['pay'])).toBe('pay payouts')
    expect(await complete(['payouts', ''])).toBe('list get cancel watch')
    expect(await complete(['payouts', 'list', '--st'])).toBe('--status')
    expect(await complete(['simulate', 'ID', 'ret'])).toBe('return')
  })
})

describe('its README', () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const blocks = [...readme.matchAll(/^```console\n([^]*?)^```$/gm)].map(([, text = '']) => text)
  const lines = blocks.flatMap((block) =>
    [...block.matchAll(/^\$ (.+)\n([^$]*)/gm)].map(([, typed = '', said = '']) => ({ typed, said: said.trim() })),
  )

  it.each(lines)('$typed', async ({ typed, said }) => {
    const { stdout, stderr } = await run('bash', ['-eo', 'pipefail', '-c', typed], { env, timeout: 60_000 })
    expect(stderr).not.toContain('error')
    const parts = said.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    expect(stdout).toMatch(new RegExp(parts.join('[^]*')))
  })

  it('has kept the key where only its owner reads it', () => {
    const path = join(project, '.config/kestrel-pay/credentials.json')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
  })

  it('is true of a receiver too', async () => {
    const secret = (await kestrelPay(['listen', '--print-secret'])).stdout.trim()
    expect(secret).toMatch(/^whsec_[\w+/=]{40,}$/)
    expect((await kestrelPay(['listen', '--print-secret'])).stdout.trim()).toBe(secret)
  })
})
