// The pages under /docs: they load nothing from elsewhere, and every error leads to its explanation.
import { ERROR_CODES } from '@kestrel/contract'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { codeInHtml, rootFrom } from '../../src/http/docs/html.ts'
import { errorBody } from '../../src/http/errors/error-body.ts'
import { ERROR_CATALOGUE } from '../../src/http/errors/error-catalogue.ts'
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

const withoutDataUrls = (html: string) => html.replaceAll(/"data:[^"]*"/g, '""')

describe.each(['/docs', '/docs/', '/docs/errors', '/docs/errors/'])('GET %s', (url) => {
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
    const hosts = [...withoutDataUrls(body).matchAll(/https?:\/\/[^/"&<\s]+/g)].map((match) => match[0])
    expect(hosts.filter((host) => host !== PUBLIC_URL)).toEqual([])
    const links = linksIn(body, url)
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

it.each(['/docs', '/docs/errors', '/openapi.json'])('%s is compressed when that is accepted', async (url) => {
  const plain = await read(url)
  const reply = await read(url, { 'accept-encoding': 'br' })
  expect(reply.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(reply.rawPayload).toString()).toBe(plain.body)
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
