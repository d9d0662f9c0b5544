// The pages under /docs: they load nothing from elsewhere, and every error leads to its explanation.
import { ERROR_CODES } from '@kestrel/contract'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { GUIDES } from '../../src/http/docs/guides.ts'
import { codeInHtml, rootFrom } from '../../src/http/docs/html.ts'
import { errorBody } from '../../src/http/errors/error-body.ts'
import { ERROR_CATALOGUE } from '../../src/http/errors/error-catalogue.ts'
import { parse } from 'yaml'

import { PUBLIC_URL, type TestApp, startTestApp } from '../support/app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const read = (url: string, headers: Record<string, string> = {}) => test.app.inject({ url, headers })

/** What a page refers to, as a browser at `url` would resolve it. */
function linksIn(html: string, url: string): URL[] {
  const targets = [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map((match) => match[1] ?? '')
  return targets.filter((target) => !target.startsWith('data:')).map((target) => new URL(target, PUBLIC_URL + url))
}

const PAGES = ['/docs', '/docs/errors', ...GUIDES.map(({ name }) => `/docs/${name}`)]

/** Where a guide sends a reader; nothing is loaded from there. */
const ELSEWHERE = new Set(['https://nodejs.org', 'https://www.standardwebhooks.com'])

const withoutDataUrls = (html: string) => html.replaceAll(/"data:[^"]*"/g, '""')

describe.each(PAGES.flatMap((page) => [page, `${page}/`]))('GET %s', (url) => {
  it('is a page', async () => {
    const reply = await read(url)
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.body).toMatch(/^<!doctype html>\n<html lang="en-GB">/)
  })

  it('has a policy under which nothing comes from another host and no script is inline', async () => {
    const reply = await read(url)
    const policy = String(reply.headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'; /)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/)
    expect(reply.body).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+="|style="/)
  })

  it('refers to this service alone, and to what is there', async () => {
    const { body } = await read(url)
    const hosts = [...withoutDataUrls(body).matchAll(/(?<!<a href=")https?:\/\/[^/"&<\s]+/g)].map((match) => match[0])
    const isSample = (host: string) => /^http:\/\/localhost:\d+$/.test(host)
    expect(hosts.filter((host) => host !== PUBLIC_URL && !isSample(host))).toEqual([])
    const links = linksIn(body, url).filter((link) => !ELSEWHERE.has(link.origin))
    expect(links.length).toBeGreaterThan(1)
    expect(links.filter((link) => link.origin !== PUBLIC_URL)).toEqual([])
    const replies = await Promise.all(links.map((link) => read(link.pathname + link.search)))
    expect(links.filter((_link, index) => replies[index]?.statusCode !== 200).map(String)).toEqual([])
  })
})

describe('the files of the reference', () => {
  it('configure it to load nothing from elsewhere and to call this service', async () => {
    const { body } = await read('/docs/reference.js')
    expect(body).not.toMatch(/https?:\/\//)
    for (const option of ['withDefaultFonts: false', 'telemetry: false', "showDeveloperTools: 'never'"]) {
      expect(body).toContain(option)
    }
    expect(body).toContain("url: root + '/openapi.json'")
    expect(body).not.toContain('proxyUrl')
    expect((await read('/docs/reference.css')).body).not.toMatch(/url\(|@import/)
  })

  it('are kept for ever by the name of their content, and checked under any other', async () => {
    const library = linksIn((await read('/docs')).body, '/docs').find((link) => link.pathname.endsWith('scalar.js'))
    const named = await read(library!.pathname + library!.search)
    expect(named.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const plain = await read('/docs/scalar.js?v=old')
    expect(plain.headers['cache-control']).toBe('no-cache')
    const again = await read('/docs/scalar.js', { 'if-none-match': String(plain.headers.etag) })
    expect(again.statusCode).toBe(304)
    expect(again.body).toBe('')
  })

  it('are compressed as the caller accepts it, without a change', async () => {
    const main = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')
    const original = await readFile(join(dirname(main), 'js/standalone.js'))
    const brotli = await read('/docs/scalar.js', { 'accept-encoding': 'gzip, deflate, br' })
    expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' })
    expect(brotli.rawPayload.length).toBeLessThan(1_000_000)
    expect(brotliDecompressSync(brotli.rawPayload).equals(original)).toBe(true)
    const gzip = await read('/docs/scalar.js', { 'accept-encoding': 'gzip;q=0.5, br;q=0' })
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.rawPayload).equals(original)).toBe(true)
    const plain = await read('/docs/scalar.js')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.rawPayload.equals(original)).toBe(true)
  })
})

it.each([...PAGES, '/openapi.json', '/openapi.yaml'])('%s is compressed when that is accepted', async (url) => {
  const plain = await read(url)
  const reply = await read(url, { 'accept-encoding': 'br' })
  expect(reply.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(reply.rawPayload).toString()).toBe(plain.body)
})

describe('for programs', () => {
  it.each(['errors', ...GUIDES.map(({ name }) => name)])('/docs/%s is there as Markdown', async (name) => {
    const reply = await read(`/docs/${name}.md`)
    expect(reply.headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(reply.body).toMatch(/^# \w/)
    expect((await read(`/docs/${name}`)).body).toContain(`${name}.md`)
  })

  it('the OpenAPI document in YAML says what the one in JSON says', async () => {
    const [yaml, json] = [await read('/openapi.yaml'), await read('/openapi.json')]
    expect(yaml.headers['content-type']).toBe('application/yaml; charset=utf-8')
    expect(parse(yaml.body, { maxAliasCount: 0 })).toEqual(json.json())
  })

  it('creating a payout comes first, and what only the dashboard calls has a part of its own', async () => {
    const document = (await read('/openapi.json')).json<{
      paths: Record<string, Record<string, { tags: string[]; security: object[] }>>
      tags: { name: string }[]
    }>()
    const [[path, methods] = ['', {}]] = Object.entries(document.paths)
    expect([path, Object.keys(methods)[0]]).toEqual(['/v1/payouts', 'post'])
    expect(document.tags.at(-1)?.name).toBe('Dashboard')
    const operations = Object.values(document.paths).flatMap((each) => Object.values(each))
    const ofSessions = operations.filter(({ security }) => security.some((way) => 'session' in way))
    expect(new Set(ofSessions.flatMap(({ tags }) => tags))).toEqual(new Set(['Dashboard']))
  })

  it('the Postman collection has every operation that a key can call, and each address is one of ours', async () => {
    const collection = (await read('/postman.json')).json<{
      info: { schema: string }
      item: { name: string; item: { request: { method: string; url: { path: string[] } } }[] }[]
    }>()
    expect(collection.info.schema).toContain('v2.1.0')
    const asked = collection.item
      .flatMap(({ item }) => item)
      .map(({ request }) => `${request.method} /${request.url.path.join('/')}`)
    const known = [...test.app.routeTable.keys()]
    expect(asked.filter((each) => !known.includes(each))).toEqual([])
    expect(asked).toContain('POST /v1/payouts')
    expect(asked).toContain('GET /v1/events')
    expect(asked.filter((each) => each.includes('/v1/auth/session'))).toEqual([])
  })

  it('llms.txt names documents that are there', async () => {
    const { body } = await read('/llms.txt')
    const links = [...body.matchAll(/\((http[^)]+)\)/g)].map((match) => new URL(match[1] ?? ''))
    expect(links.length).toBeGreaterThan(GUIDES.length)
    for (const { pathname } of links) expect((await read(pathname)).statusCode).toBe(200)
  })
})

describe('the root of the service', () => {
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

  it('greets a browser with a page', async () => {
    const reply = await read('/', { accept: BROWSER })
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.headers.vary).toBe('Accept, Accept-Encoding')
    for (const path of ['dashboard/', 'docs/quickstart', 'docs']) expect(reply.body).toContain(`href="./${path}"`)
  })

  it.each([
    undefined,
    '*/*',
    'application/json',
    'application/json, text/html;q=0.5',
    'text/html, application/json',
    'text/html;q=0, */*',
  ])('answers a program that accepts %s with JSON', async (accept) => {
    const reply = await read('/', accept === undefined ? {} : { accept })
    expect(reply.json()).toEqual({ name: 'Kestrel Payouts', version: '1.3.0', docs: `${PUBLIC_URL}/docs` })
    expect(reply.headers.vary).toBe('Accept')
  })

  it('has no page under /v1', async () => {
    expect((await read('/v1', { accept: BROWSER })).headers['content-type']).toContain('application/json')
  })
})

describe('the page of errors', () => {
  it.each(ERROR_CODES)('has a section for %s, where its doc_url leads', async (code) => {
    const { pathname, hash } = new URL(errorBody({ code, message: '' }, '', PUBLIC_URL).error.doc_url ?? '')
    const { body } = await read(pathname)
    expect(body.split(`id="${hash.slice(1)}"`)).toHaveLength(2)
    const section = body.slice(body.indexOf(`id="${code}"`)).split('</section>')[0]
    const { status, happened, money, todo } = ERROR_CATALOGUE[code]
    for (const text of [happened, money.text, `\`nothingWasSent\` is \`${money.nothingWasSent}\``, todo])
      expect(section).toContain(codeInHtml(text))
    expect(section).toContain(`<span>${status} `)
  })
})

it('text from the catalogue cannot become markup, and backticks become code', () => {
  expect(codeInHtml('<b> & "x" is `a<b`')).toBe('&lt;b&gt; &amp; &quot;x&quot; is <code>a&lt;b</code>')
})

it.each([
  ['/docs', './'],
  ['/docs/', '../'],
  ['/docs?a=/b/', './'],
  ['/docs/errors', '../'],
  ['/docs/errors/', '../../'],
])('from %s the root is %s', (url, root) => {
  expect(rootFrom(url)).toBe(root)
  expect(new URL(root, `https://example.test/prefix${url}`).pathname).toBe('/prefix/')
})
