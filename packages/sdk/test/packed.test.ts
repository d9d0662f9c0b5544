// The SDK as somebody installs it: small, alone, offline; and every sample of its README compiles and runs.
import { type ExecFileOptions, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { transform } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { Webhook } from 'standardwebhooks'
import { parsePence } from '../../server/src/core/money.ts'
import { receiptToken } from '../../server/src/core/receipt-token.ts'
import { platformKey } from '../../server/src/domain/audit/platform-keys.ts'
import { freePort } from '../../server/test/process/program.ts'
import { type BankApp, startBankApp } from '../../server/test/support/bank-app.ts'

const ROOT = join(import.meta.dirname, '../../..')
const LARGEST_BYTES = 12 * 1024
/** Other versions of Node than this one, as paths with commas between them. */
const NODES = [process.execPath, ...(process.env['SDK_NODES'] ?? '').split(',').filter((path) => path !== '')]
const COMPILERS = ['node_modules/typescript', 'packages/sdk/node_modules/typescript']

const run = promisify(execFile)
const project = mkdtempSync(join(tmpdir(), 'kestrel-sdk-'))
const installed = join(project, 'node_modules/@kestrel/sdk')
const readInstalled = (path: string) => readFileSync(join(installed, path), 'utf8')

let app: BankApp
let url: string
let settings: Record<string, string>
const over = new AbortController()
beforeAll(async () => {
  const { stdout } = await run(process.execPath, [join(ROOT, 'scripts/pack-sdk.mjs'), '--to', join(project, 'packed')])
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }))
  const offline = ['--offline', '--no-audit', '--no-fund', '--cache', join(project, 'cache')]
  await run('npm', ['install', ...offline, stdout.trim()], { cwd: project })
  app = await startBankApp()
  url = await app.listen()
  void bringNews()
})
afterAll(async () => {
  over.abort()
  await app.close()
  rmSync(project, { recursive: true, force: true })
})

const aReceiptsToken = () =>
  receiptToken(platformKey(app.deps.secrets), {
    environment: 'live',
    partnerId: '01a0f67a-3800-70ed-9995-31985d5d9dc9',
    payoutId: '01a19b8a-d7c6-7269-bef2-a74de452e6b4',
    amount: parsePence('25.00')!,
    createdAt: new Date('2026-11-02T09:15:30.118Z'),
  })

/** As the worker does. */
async function bringNews(): Promise<void> {
  while (!over.signal.aborted) {
    await app.pass(500).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

describe('the package', () => {
  it('installs offline into an empty project, and brings nothing along', () => {
    expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@kestrel'])
    expect(readdirSync(join(project, 'node_modules/@kestrel'))).toEqual(['sdk'])
    const { dependencies, scripts, type, version } = JSON.parse(readInstalled('package.json')) as Record<
      string,
      unknown
    >
    expect({ dependencies, scripts, type }).toEqual({ type: 'module' })
    expect(version).toBe((JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version)
  })

  it(`has at most ${LARGEST_BYTES} bytes when it is sent compressed, and imports nothing`, () => {
    expect(gzipSync(readInstalled('index.js')).length).toBeLessThanOrEqual(LARGEST_BYTES)
    expect(`${readInstalled('index.js')}${readInstalled('verify.js')}`).not.toMatch(
      /\bfrom ["']|\brequire\(|\bimport\(|\bprocess\b|\bBuffer\b|node:/,
    )
  })
})

interface Sample {
  readonly name: string
  readonly source: string
}

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
const samples: Sample[] = [...readme.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, source = ''], index) => ({
  name: `sample-${index + 1}`,
  source,
}))

/** What each says when it is run, one after the other. */
const SAYS: readonly RegExp[] = [
  /^completed\n$/,
  /^refused: amount_gbp must be .*\nwallet has \d+\.\d\d\n$/,
  /^\d+ entries, as they were written\n$/,
  /^£25\.00 of 2026-11-02T09:15:30\.118Z, payout 01a19b8a-\S+\n$/,
  /^\d+ null \d+\.\d\d\n$/,
  /^payout\.completed 01/,
  /^\S+ 01\S+\n$/,
  /^(completed null|returned account_closed)\n$/,
]

describe.each(COMPILERS)('with the compiler in %s', (compiler) => {
  it('the samples compile, and numbers for money do not', async () => {
    const wrong = `import { Kestrel } from '@kestrel/sdk'
const kestrel = new Kestrel({ apiKey: 'kp_sandbox_0' })
// @ts-expect-error money is no number
void kestrel.quotes.create({ amount_gbp: 25 })
// @ts-expect-error nor a text without pence
void kestrel.quotes.create({ amount_gbp: '25' })
// @ts-expect-error the key is asked for
void kestrel.payouts.create({ amount_gbp: '25.00', recipient: {} as never })
void kestrel.quotes.create({ amount_gbp: '25.00' })
`
    const folder = join(project, `compiled-${COMPILERS.indexOf(compiler)}`)
    mkdirSync(folder)
    const files = [...samples, { name: 'wrong', source: wrong }].map(({ name, source }) => {
      const path = join(folder, `${name}.ts`)
      writeFileSync(path, source)
      return path
    })
    const options = [
      '--strict',
      '--exactOptionalPropertyTypes',
      '--noEmit',
      '--target',
      'es2023',
      '--module',
      'nodenext',
    ]
    const types = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node']
    const tsc = [join(ROOT, compiler, 'bin/tsc'), ...options, ...types, ...files]
    const { stdout } = await run(process.execPath, tsc, { cwd: project }).catch((error: { stdout: string }) => error)
    expect(stdout).toBe('')
  })
})

describe.each(NODES)('with %s', (node) => {
  // A business of its own: the samples pay and read what they have paid.
  beforeAll(async () => {
    settings = {
      KESTREL_URL: url,
      KESTREL_KEY: (await app.aConnectedPartner()).key,
      RECEIPT_LINK: `${url}/receipts/${aReceiptsToken()}`,
    }
  })

  it.each(samples.filter(({ source }) => !source.includes('createServer')))('$name runs as it is', async (sample) => {
    const { stdout } = await run(node, [await written(sample)], {
      env: { ...settings },
      timeout: 60_000,
    } satisfies ExecFileOptions)
    expect(stdout).toMatch(SAYS[samples.indexOf(sample)]!)
  })

  it('the receiver takes what is signed, and nothing else', async () => {
    const sample = samples.find(({ source }) => source.includes('createServer'))!
    const secret = `whsec_${Buffer.from('a'.repeat(32)).toString('base64')}`
    const port = String(await freePort())
    const receiver = spawn(node, [await written(sample)], { env: { WEBHOOK_SECRET: secret, PORT: port } })
    try {
      let said = ''
      receiver.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
      const body = JSON.stringify({ type: 'payout.completed', subject: { id: '01' } })
      const send = (key: string) => {
        const now = new Date()
        const headers = {
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
          'webhook-signature': new Webhook(key).sign('msg_1', now, body),
        }
        return fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })
      }
      await expect
        .poll(() =>
          send(secret).then(
            ({ status }) => status,
            () => 0,
          ),
        )
        .toBe(204)
      expect((await send(`whsec_${Buffer.from('b'.repeat(32)).toString('base64')}`)).status).toBe(400)
      await expect.poll(() => said).toMatch(SAYS[samples.indexOf(sample)]!)
    } finally {
      receiver.kill()
      await once(receiver, 'close')
    }
  })
})

/** Node 20 reads no TypeScript: the types are taken off, and nothing else. */
async function written({ name, source }: Sample): Promise<string> {
  const { code } = await transform(source, { loader: 'ts', format: 'esm', target: 'es2023' })
  const path = join(project, `${name}.mjs`)
  writeFileSync(path, code)
  return path
}
