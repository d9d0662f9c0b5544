// .env.example has every setting that the program reads, and none that it does not.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { readConfig } from '../../src/config/config.ts'
import { readSecrets } from '../../src/config/secrets.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const example = readFileSync(join(ROOT, '.env.example'), 'utf8')
const named = [...example.matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name!)

/** Read by compose.yml alone. */
const OF_COMPOSE = ['OWNER_PASSWORD', 'SERVICE_PASSWORD']

async function settingsThatAreRead(): Promise<string[]> {
  const names = new Set<string>()
  const given: Record<string, string> = {
    KESTREL_SEAL_KEY: '0123456789abcdef'.repeat(3) + 'fedcba9876543210',
    KESTREL_FINGERPRINT_KEY: 'fedcba9876543210'.repeat(3) + '0123456789abcdef',
  }
  const env = new Proxy(given, {
    get: (target, name) => {
      names.add(String(name))
      return target[String(name)]
    },
  })
  readConfig(env)
  await readSecrets(env, { dataDir: '/nowhere', mayMake: false })
  return [...names].toSorted()
}

describe('.env.example', () => {
  it('names every setting that the program reads, once', async () => {
    expect(named.filter((name) => !OF_COMPOSE.includes(name)).toSorted()).toEqual(await settingsThatAreRead())
  })

  it('is accepted as it is written, with every line switched on, but for what is to be filled in', () => {
    const lines = [...example.matchAll(/^(?:# )?([A-Z][A-Z_]+)=(.+)$/gm)]
    const env = Object.fromEntries(lines.map(([, name, value]) => [name!, value!]))
    expect(() => readConfig(env)).not.toThrow()
  })

  it('has every setting that README.md lists', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
    const listed = [...readme.matchAll(/^\| `([A-Z][A-Z_]+)`/gm)].map(([, name]) => name!)
    expect(listed.filter((name) => !named.includes(name))).toEqual([])
    expect(listed.length).toBeGreaterThan(25)
  })
})
