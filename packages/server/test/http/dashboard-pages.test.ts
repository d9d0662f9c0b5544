import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, startTestApp } from '../support/app.ts'

const INDEX = '<!doctype html><title>Kestrel</title><script src="/dashboard/assets/app-1a2b.js"></script>'
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(2_000))})`
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

let test: TestApp
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kestrel-dashboard-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), INDEX)
  await writeFile(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(folder, '.built'), '{}')
  await writeFile(join(folder, '..', 'outside.txt'), 'not for anybody')
  await writeFile(join(folder, 'assets', 'app-1a2b.js'), SCRIPT)
  await writeFile(join(folder, 'assets', 'app-1a2b.js.br'), brotliCompressSync(SCRIPT))
  await writeFile(join(folder, 'assets', 'app-1a2b.js.gz'), gzipSync(SCRIPT))
  test = await startTestApp({ dashboard: { folder } })
})
afterAll(async () => {
  await test.close()
  await rm(folder, { recursive: true })
  await rm(join(folder, '..', 'outside.txt'), { force: true })
})

const load = (url: string, headers: Record<string, string> = {}) => test.app.inject({ url, headers })

describe('/dashboard', () => {
  it.each([
    ['/dashboard', '/dashboard/'],
    ['/dashboard?environment=live', '/dashboard/?environment=live'],
  ])('%s moves to %s for good', async (url, location) => {
    const reply = await load(url)
    expect([reply.statusCode, reply.headers['location']]).toEqual([308, location])
  })

  it.each([
    '/dashboard/',
    '/dashboard/?x=1',
    '/dashboard/payouts',
    '/dashboard/payouts/019a8a00-0000-7000-8000-000000000000',
    '/dashboard/thistle-market',
    '/dashboard/settings/',
  ])('%s is the page, asked for anew each time, under a strict policy', async (url) => {
    const reply = await load(url)
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toBe(INDEX)
    expect(reply.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
  })

  it('says that nothing has changed to whoever has the page', async () => {
    const { headers } = await load('/dashboard/')
    const again = await load('/dashboard/payouts', { 'if-none-match': headers['etag'] as string })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })
})

describe('a file of the dashboard', () => {
  it('may be kept for ever when it is named after its content', async () => {
    const reply = await load('/dashboard/assets/app-1a2b.js')
    expect(reply.body).toBe(SCRIPT)
    expect(reply.headers).toMatchObject({
      'content-type': expect.stringMatching(/^(text|application)\/javascript/) as unknown,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': POLICY,
    })
    expect((await load('/dashboard/favicon.svg')).headers['cache-control']).toBe('no-cache')
  })

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('comes as it was compressed when it was built: %s', async (encoding, read) => {
    const reply = await load('/dashboard/assets/app-1a2b.js', { 'accept-encoding': encoding })
    expect(reply.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' })
    expect(read(reply.rawPayload).toString()).toBe(SCRIPT)
    // One that was not is sent as it is.
    expect((await load('/dashboard/', { 'accept-encoding': encoding })).body).toBe(INDEX)
  })

  it.each([
    '/dashboard/assets/app-old.js',
    '/dashboard/assets/nothing',
    '/dashboard/assets/',
    '/dashboard/missing.png',
    '/dashboard/.built',
    '/dashboard/../outside.txt',
    '/dashboard/..%2foutside.txt',
    '/dashboard/%2e%2e/outside.txt',
    '/dashboard/%252e%252e%252foutside.txt',
    '/dashboard/assets/..%5c..%5coutside.txt',
    '/dashboard/assets/%00.js',
  ])('%s is not there, and nobody keeps that', async (url) => {
    const reply = await load(url)
    expect(reply.statusCode).toBe(404)
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.body).not.toContain('not for anybody')
  })

  it('can be read and nothing else', async () => {
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      for (const url of ['/dashboard', '/dashboard/payouts', '/dashboard/assets/app-1a2b.js']) {
        const reply = await test.app.inject({ method, url })
        expect([reply.statusCode, reply.headers['allow']]).toEqual([405, 'GET, HEAD'])
      }
    }
  })
})

describe('a dashboard that is not built', () => {
  it('says what to do, and is there once it is', async () => {
    const later = join(folder, 'later')
    const own = await startTestApp({ dashboard: { folder: later } })
    const missing = await own.app.inject({ url: '/dashboard/payouts' })
    expect(missing.statusCode).toBe(503)
    expect(missing.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(missing.body).toContain('npm run build:dashboard')
    expect((await own.app.inject({ url: '/dashboard/assets/app.js' })).statusCode).toBe(404)
    await mkdir(later)
    await writeFile(join(later, 'index.html'), INDEX)
    expect((await own.app.inject({ url: '/dashboard/payouts' })).body).toBe(INDEX)
    await own.close()
  })
})
