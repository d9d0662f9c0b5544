// `npm start` as a newcomer has it: its own PostgreSQL, its own bank, no settings but where to listen.
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type Socket, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Served, type Settings, endEverythingStarted, freePort, run, serveOn } from './program.ts'

let dataDir: string
let settings: Settings
let served: Served
let port: number
const squatter = createServer()

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'kestrel-first-'))
  settings = { DATA_DIR: dataDir, HOST: '0.0.0.0', RATE_LIMIT_PER_SECOND: '0' }
  port = await freePort()
  await once(squatter.listen(port + 1, '127.0.0.1'), 'listening')
  served = await serveOn('serve', settings, port)
}, 120_000)
afterAll(async () => {
  squatter.close()
  await served.kill('SIGTERM')
  endEverythingStarted()
  rmSync(dataDir, { recursive: true, force: true })
})

const bankPortIn = ({ output }: Served) =>
  Number(/Sandbox bank +bundled, http:\/\/127\.0\.0\.1:(\d+)/.exec(output.stdout)?.[1])
const mailboxIn = ({ output }: Served) => /Mailbox +(http:\S+)/.exec(output.stdout)?.[1] ?? ''

/** Every address 127.x is this machine's own, and a listener on 127.0.0.1 hears none but that one. */
async function answers(host: string, onPort: number): Promise<boolean> {
  const socket: Socket = connect({ host, port: onPort })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

describe.sequential('the first start', () => {
  it('has its bank on this machine only, on the next port when one is taken, whoever may reach the API', async () => {
    const bankPort = bankPortIn(served)
    expect(bankPort).toBeGreaterThan(port + 1)
    expect(served.output.stdout).toContain(`port ${port + 1} is taken; using ${bankPort}`)
    expect(JSON.parse(readFileSync(join(dataDir, 'bank.json'), 'utf8'))).toMatchObject({
      url: `http://127.0.0.1:${bankPort}/v0`,
    })
    expect(await answers('127.0.0.2', port)).toBe(true)
    expect(await answers('127.0.0.1', bankPort)).toBe(true)
    expect(await answers('127.0.0.2', bankPort)).toBe(false)
  })

  it('prints where mail is read, with a token that nobody can do without', async () => {
    expect(mailboxIn(served)).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/mailbox\\?token=[0-9a-f]{48}$`))
    const code = await fetch(`${served.url}/v1/auth/code`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: served.url },
      body: JSON.stringify({ email: 'demo@thistle.test' }),
    })
    expect(code.status).toBe(202)
    expect((await fetch(`${served.url}/mailbox`)).status).toBe(403)
    const opened = await fetch(mailboxIn(served), { redirect: 'manual' })
    const cookie = String(opened.headers.get('set-cookie')).split(';')[0]!
    const page = await (await fetch(`${served.url}/mailbox`, { headers: { cookie } })).text()
    expect(page).toContain('demo@thistle.test')
  })

  it('shows programs their mails on the command line, the newest first', async () => {
    const ended = await run(['mailbox', '--json'], settings)
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    const { mails } = JSON.parse(ended.stdout) as { mails: Record<string, unknown>[] }
    expect(mails[0]).toEqual({
      to: 'demo@thistle.test',
      subject: expect.stringMatching(/^\d{6} /),
      text: expect.stringMatching(/\d{6}/),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      attachments: [],
    })
    const spoken = await run(['mailbox'], settings)
    expect(spoken.stdout.split('\n')[0]).toBe(`Mailbox  ${mailboxIn(served)}`)
  })

  it('can be examined without being changed, running or not; what it printed holds at the next start', async () => {
    const running = await run(['doctor'], { ...settings, PORT: String(port) })
    expect(running).toMatchObject({ code: 0, stderr: '' })
    expect(running.stdout).toMatch(/^✔ Port +\d+ is in use, and the service runs as process \d+$/m)
    expect(running.stdout).toMatch(/^✔ Sandbox bank +answers/m)
    expect(running.stdout).toMatch(/^! Live bank +none/m)

    const before = mailboxIn(served)
    expect((await served.kill('SIGTERM')).code).toBe(0)
    const stopped = await run(['doctor'], settings)
    expect(stopped).toMatchObject({ code: 0, stderr: '' })
    expect(stopped.stdout).toMatch(/^! Database +the embedded one is not running/m)
    expect(existsSync(join(dataDir, 'kestrel.pid'))).toBe(false)

    served = await serveOn('serve', settings, port)
    expect(mailboxIn(served)).toBe(before)
  })
})

it('is what a mailbox needs: with a database of somebody’s there is none', async () => {
  const ended = await run(['mailbox'], { ...settings, DATABASE_URL: 'postgres://kestrel@localhost/kestrel' })
  expect(ended).toMatchObject({ code: 3, stdout: '' })
  expect(ended.stderr).toMatch(/^kestrel: There is no mailbox with DATABASE_URL.*\n$/)
})
