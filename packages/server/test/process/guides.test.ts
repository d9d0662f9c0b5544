// Every sample of the guides runs as pasted, in one shell per guide, against the program as a newcomer starts it.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

import { transform } from 'esbuild'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { GUIDES, guideMarkdown } from '../../src/http/docs/guides.ts'
import { GUIDES_FOLDER } from '../../src/package-root.ts'
import { type Served, endEverythingStarted, freePort, serveOn } from './program.ts'

let dataDir: string
let served: Served
let base: string
let key: string

const ROOT = join(import.meta.dirname, '../../../..')
const run = promisify(execFile)
/** Where the command line for integrators is, as if it had been installed. */
const installed = mkdtempSync(join(tmpdir(), 'kestrel-bin-'))

beforeAll(async () => {
  const build = `import { buildCli } from '${pathToFileURL(join(ROOT, 'scripts/lib/build-cli.mjs')).href}'
    await buildCli(${JSON.stringify(join(installed, 'kestrel-pay'))})`
  await run(process.execPath, ['--input-type=module', '-e', build])
  dataDir = mkdtempSync(join(tmpdir(), 'kestrel-guides-'))
  const port = await freePort()
  served = await serveOn('serve', { DATA_DIR: dataDir, RATE_LIMIT_PER_SECOND: '0' }, port)
  base = `http://localhost:${port}`
  key = /kp_sandbox_\w+/.exec(served.output.stdout)?.[0] ?? ''
  // A moment after the first start the sandbox bank has opened the wallet.
  const headers = { authorization: `Bearer ${key}` }
  const rail = async () => ((await (await fetch(`${base}/v1/account`, { headers })).json()) as { rail: string }).rail
  while ((await rail()) !== 'provider_sandbox') await sleep(100)
}, 120_000)
afterAll(async () => {
  await served.kill('SIGTERM')
  endEverythingStarted()
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(installed, { recursive: true, force: true })
})

interface Sample {
  readonly language: string
  readonly text: string
}

function samplesOf(markdown: string): Sample[] {
  const found = markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)
  return [...found].map(([, language = '', text = '']) => ({ language, text }))
}

interface Ran {
  readonly code: number
  readonly output: string
  readonly folder: string
}

/** The commands in their order, with the reader's own key and the files saved under the names that the guide gives. */
async function paste(samples: readonly Sample[]): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'kestrel-guide-'))
  const receiver = String(await freePort())
  for (const { language, text } of samples) {
    const name = /^\/\/ (\S+)\n/.exec(text)?.[1]
    if (language === 'js' && name !== undefined) writeFileSync(join(folder, name), text.replaceAll('4400', receiver))
  }
  const commands = samples.filter(({ language }) => language === 'sh').map(({ text }) => text)
  const script = commands.join('').replaceAll('kp_sandbox_…', key).replaceAll('localhost:4400', `localhost:${receiver}`)
  const shell = spawn('bash', ['-meo', 'pipefail', '-c', `set -u; KEY=${key}\n${script}`], {
    cwd: folder,
    env: { PATH: `${installed}:${process.env['PATH']}`, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed: Buffer[] = []
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => printed.push(chunk))
  const [code] = (await once(shell, 'close')) as [number | null]
  return { code: code ?? -1, output: Buffer.concat(printed).toString(), folder }
}

/** What one looks for in what a guide's commands print. */
const SEEN: Readonly<Record<string, readonly RegExp[]>> = {
  quickstart: [
    /"status":"processing"/,
    /"status":"completed"/,
    /payout\.created \S+ processing[^]*payout\.completed \S+ completed[^]*payout\.returned \S+ returned[^]*payout\.refunded/,
  ],
  idempotency: [/HTTP\/1\.1 201[^]*HTTP\/1\.1 200[^]*Idempotent-Replayed: true/i],
  statuses: [/"status":"completed"/, /"object":"list"|"data":\[/],
  testing: [
    /"status":"failed"[^]*"failure_code":"account_closed"/,
    /"object":"top_up"/,
    /"object":"advance"/,
    /"rehearsal":true/,
  ],
  webhooks: [/"error"/, /"object":"event"/],
  'going-live': [/"object":"go_live"/],
  'command-line': [
    /"check":"key","result":"ok"/,
    /"status":"completed"[^]*Nothing new was sent/,
    /payout\.returned \S+ returned[^]*payout\.refunded/,
    /"code":"insufficient_funds"/,
  ],
}

describe.concurrent('the samples of a guide, pasted into a shell', () => {
  it.each(GUIDES)('$name', async ({ name }) => {
    const { code, output, folder } = await paste(
      samplesOf(await guideMarkdown(name, { folder: GUIDES_FOLDER, publicUrl: base })),
    )
    const refused = [...output.matchAll(/"error":\{"code":"(\w+)"/g)].map((match) => match[1])
    rmSync(folder, { recursive: true, force: true })
    expect({ refused, code, output }).toEqual({ refused: [], code: 0, output })
    expect(SEEN[name]?.length).toBeGreaterThan(0)
    for (const sight of SEEN[name] ?? []) expect(output).toMatch(sight)
  })
})

/** An empty project with the SDK as somebody installs it. */
async function projectWithSdk(): Promise<string> {
  const project = mkdtempSync(join(tmpdir(), 'kestrel-guide-sdk-'))
  const { stdout } = await run(process.execPath, [join(ROOT, 'scripts/pack-sdk.mjs'), '--to', join(project, 'packed')])
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const offline = ['--offline', '--no-audit', '--no-fund', '--cache', join(project, 'cache')]
  await run('npm', ['install', ...offline, stdout.trim()], { cwd: project })
  return project
}

/** Compiles a guide's only sample in TypeScript as a newcomer's project does, and returns its JavaScript. */
async function compiledSample(guide: string, project: string): Promise<string> {
  const markdown = await guideMarkdown(guide, { folder: GUIDES_FOLDER, publicUrl: base })
  const [sample, ...others] = samplesOf(markdown).filter(({ language }) => language === 'ts')
  expect(others).toEqual([])
  writeFileSync(join(project, 'sample.ts'), sample!.text)
  const types = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node', '--target', 'es2023']
  const options = ['--strict', '--noEmit', '--module', 'nodenext', ...types]
  const tsc = [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, 'sample.ts']
  const compiled = await run(process.execPath, tsc, { cwd: project }).catch((error: { stdout: string }) => error)
  expect(compiled.stdout).toBe('')
  // Node 20 reads no TypeScript: the types are taken off, and nothing else.
  return (await transform(sample!.text, { loader: 'ts', format: 'esm', target: 'es2023' })).code
}

describe('the TypeScript of the guide to webhooks', () => {
  it('compiles under strict, takes what is ours, and refuses the rest', async () => {
    const project = await projectWithSdk()
    const port = await freePort()
    const secret = `whsec_${Buffer.from('a secret that only two of us know').toString('base64')}`
    const code = await compiledSample('webhooks', project)
    writeFileSync(join(project, 'receive.mjs'), code.replace('4500', String(port)))
    const receiver = spawn(process.execPath, ['receive.mjs'], { cwd: project, env: { WEBHOOK_SECRET: secret } })
    let said = ''
    receiver.stdout.on('data', (text) => (said += String(text)))
    try {
      const send = async (type: string, by = secret) => {
        const event = {
          type,
          subject: { object: 'payout', id: 'p1' },
          data: { id: 'p1', failure_code: 'account_closed' },
        }
        const [body, at] = [JSON.stringify(event), new Date()]
        const timestamp = String(Math.floor(at.getTime() / 1_000))
        const signed = {
          'webhook-id': 'e1',
          'webhook-timestamp': timestamp,
          'webhook-signature': new Webhook(by).sign('e1', at, body),
        }
        const reply = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers: signed })
        return reply.status
      }
      await expect.poll(() => send('payout.returned').catch(() => 0), { timeout: 20_000 }).toBe(204)
      expect(await send('payout.refunded')).toBe(204)
      expect(await send('payout.refunded', `whsec_${Buffer.from('another').toString('base64')}`)).toBe(400)
      expect(said).toBe('payout.returned p1 came back: account_closed\npayout.refunded p1 owed again\n')
    } finally {
      receiver.kill()
      rmSync(project, { recursive: true, force: true })
    }
  })
})

describe('the TypeScript of the quickstart', () => {
  it('compiles under strict, pays once however often it is run, and leaves open what a refused key does', async () => {
    const project = await projectWithSdk()
    try {
      const code = await compiledSample('quickstart', project)
      writeFileSync(join(project, 'pay.mjs'), code)
      const pay = async (by: string) =>
        (await run(process.execPath, ['pay.mjs'], { cwd: project, env: { KESTREL_KEY: by } })).stdout
      const first = await pay(key)
      expect(first).toMatch(/^01\S+ completed \n$/)
      expect(await pay(key)).toBe(first)
      expect(await pay(`kp_sandbox_${'0'.repeat(48)}`)).toMatch(/^Perhaps paid: run this again\. /)
    } finally {
      rmSync(project, { recursive: true, force: true })
    }
  })
})

describe('the folder of guides', () => {
  it('has those that are listed, and each names only what is there', async () => {
    const names = GUIDES.map(({ name }) => `${name}.md`)
    expect(readdirSync(GUIDES_FOLDER).toSorted()).toEqual(names.toSorted())
    for (const { name } of GUIDES) {
      const text = await guideMarkdown(name, { folder: GUIDES_FOLDER, publicUrl: base })
      const linked = [...text.matchAll(/\]\(([\w-]+\.md)\)/g)].map((match) => match[1])
      expect(linked.filter((link) => ![...names, 'errors.md'].includes(link ?? ''))).toEqual([])
    }
  })

  it('makes no idempotency key from the clock or by chance', async () => {
    for (const { name } of GUIDES) {
      const keys = [
        ...(await guideMarkdown(name, { folder: GUIDES_FOLDER, publicUrl: base })).matchAll(
          /Idempotency-Key: ([^"\n`]+)/g,
        ),
      ].map(([, each]) => each)
      expect(keys.filter((each) => !/^[a-z]+-\d+$/.test(each ?? ''))).toEqual([])
    }
  })
})
