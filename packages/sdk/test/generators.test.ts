// Clients that others make from the document: what openapi-typescript and hey-api write takes every published example, strictly.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const DOCUMENT = join(ROOT, 'docs/openapi.json')
const TOOLS = join(import.meta.dirname, '../node_modules')
const folder = mkdtempSync(join(tmpdir(), 'kestrel-generators-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Examples = Readonly<Record<string, { readonly $ref?: string; readonly value?: unknown }>>
type Content = Readonly<Record<string, { readonly examples?: Examples }>>

interface Operation {
  readonly operationId: string
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

const document = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
  components: { examples: Record<string, { value: unknown }> }
}

interface Published {
  readonly path: string
  readonly method: string
  readonly operation: Operation
  /** A status, or null for a request. */
  readonly status: string | null
  readonly values: readonly unknown[]
}

const valuesOf = (content: Content | undefined) =>
  Object.values(content?.['application/json']?.examples ?? {}).flatMap(({ value }) =>
    value === undefined ? [] : [value],
  )

const published: Published[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) => [
    { path, method, operation, status: null, values: valuesOf(operation.requestBody?.content) },
    ...Object.entries(operation.responses).map(([status, { content }]) => ({
      path,
      method,
      operation,
      status,
      values: valuesOf(content),
    })),
  ]),
)
const failures = Object.values(document.components.examples).map(({ value }) => value)

/** One constant per example, each of the type that the generator gives it. */
function program(imports: string, typeOf: (each: Published) => string, errorType: string): string {
  const lines = published.flatMap((each) => each.values.map((value) => [typeOf(each), value] as const))
  const all = [...lines, ...failures.map((value) => [errorType, value] as const)]
  return `${imports}\n${all.map(([type, value], index) => `export const example${index}: ${type} = ${JSON.stringify(value)}\n`).join('')}`
}

async function compiles(source: string, name: string): Promise<void> {
  writeFileSync(join(folder, name), source)
  const options = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--skipLibCheck', '--target', 'es2022']
  const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom']
  const tsc = [join(TOOLS, 'typescript/bin/tsc'), ...options, ...modules, join(folder, name)]
  const { stdout } = await run(tsc).catch((error: { stdout: string }) => error)
  expect(stdout).toBe('')
}

const run = (args: readonly string[]) => promisify(execFile)(process.execPath, [...args], { cwd: folder })

describe('what is made from the document', () => {
  it('has an example of every answer to try', () => {
    expect(published.flatMap(({ values }) => values).length).toBeGreaterThan(60)
    expect(failures.length).toBeGreaterThan(30)
  })

  it('by openapi-typescript takes every published example', async () => {
    await run([join(TOOLS, 'openapi-typescript/bin/cli.js'), DOCUMENT, '-o', join(folder, 'paths.ts')])
    const typeOf = ({ path, method, status }: Published) => {
      const operation = `paths[${JSON.stringify(path)}][${JSON.stringify(method)}]`
      return status === null
        ? `NonNullable<${operation}['requestBody']>['content']['application/json']`
        : `${operation}['responses'][${status}]['content']['application/json']`
    }
    const imports = "import type { components, paths } from './paths.ts'".replace('.ts', '')
    await compiles(program(imports, typeOf, "components['schemas']['Error']"), 'openapi-typescript.ts')
    const made = readFileSync(join(folder, 'paths.ts'), 'utf8')
    // A default would make a field one that has to be sent.
    expect(made).toMatch(/country\?: "GB"/)
    expect(made).not.toMatch(/@default/)
  })

  it('by hey-api takes every published example', async () => {
    const cli = join(TOOLS, '@hey-api/openapi-ts/bin/run.js')
    await run([cli, '-i', DOCUMENT, '-o', join(folder, 'hey'), '-p', '@hey-api/typescript', '--no-log-file'])
    const typeOf = ({ operation: { operationId }, status }: Published) => {
      const name = operationId.charAt(0).toUpperCase() + operationId.slice(1)
      return status === null ? `NonNullable<api.${name}Data['body']>` : `api.${name}Responses[${status}]`
    }
    await compiles(program("import type * as api from './hey'", typeOf, 'api.Error'), 'hey-api.ts')
    const made = readFileSync(join(folder, 'hey/types.gen.ts'), 'utf8')
    expect(made).toMatch(/200: Blob \| File/)
  })
})
