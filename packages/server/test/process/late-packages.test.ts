// What the built program does not read at its start (scripts/lib/late-packages.mjs).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { MIGRATIONS_FOLDER } from '../../src/package-root.ts'

const DIST = join(MIGRATIONS_FOLDER, '../dist')

it('the bundle has none of the packages that others ask for and nobody here uses', () => {
  const { outputs } = JSON.parse(readFileSync(join(DIST, '.build.json'), 'utf8')) as { outputs: string[] }
  const texts = outputs.filter((name) => name.endsWith('.mjs')).map((name) => readFileSync(join(DIST, name), 'utf8'))
  const has = (name: string) => texts.some((text) => text.includes(`// node_modules/${name}/`))
  expect(['fastify', '@fastify/swagger', '@fastify/static', 'prom-client'].filter((name) => !has(name))).toEqual([])
  expect(['yaml', 'glob', '@opentelemetry/api'].filter(has)).toEqual([])
})
