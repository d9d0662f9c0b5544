import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

const FOLDER = join(import.meta.dirname, '../../../../docs/decisions')
const pages = readdirSync(FOLDER).filter((name) => name !== 'README.md')
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8')

describe('docs/decisions', () => {
  it('gives every page a number of its own, and its index has each under its title', () => {
    const index = read('README.md').replaceAll(/\n {2}/g, ' ')
    const entries = pages.map((name) => `[${read(name).split('\n')[0]?.slice(2)}](${name})`)
    expect(entries.filter((entry) => !index.includes(entry))).toEqual([])
    const numbers = pages.map((name) => /^(\d{4})-/.exec(name)?.[1])
    expect(numbers).not.toContain(undefined)
    expect(new Set(numbers).size).toBe(pages.length)
  })

  it.each(pages)('%s says whether it still stands, and what stands in its place', (name) => {
    const status = read(name).split('\n')[2] ?? ''
    expect(status).toMatch(/^Status: (accepted|replaced by \[\d{4}\]\([^)]+\))(; .+)?\.$/)
    const number = name.slice(0, 4)
    const later = [...status.matchAll(/replaced by \[\d{4}\]\(([^)]+)\)/g)].map((match) => match[1] ?? '')
    for (const page of later)
      expect(read(page), `${page} does not say that it changes ${number}`).toContain(`[${number}]`)
  })

  it('lists every page once', () => {
    const listed = [...read('README.md').matchAll(/^- \[(\d{4})\./gm)].map((match) => match[1] ?? '')
    expect(listed.toSorted()).toEqual(pages.map((name) => name.slice(0, 4)))
  })

  it.each(pages)('%s says why, what, what follows and what else, on one screen', (name) => {
    const text = read(name)
    expect([...text.matchAll(/^## (.+)$/gm)].map((match) => match[1])).toEqual([
      'Context',
      'Decision',
      'Consequences',
      'Alternatives',
    ])
    expect(text.split('\n').length).toBeLessThanOrEqual(38)
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map((match) => match[1] ?? '')
    expect(links.filter((link) => !pages.includes(link))).toEqual([])
  })
})
