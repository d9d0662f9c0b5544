// Makes a mutant's change in the text of a file. What is on the disk stays as it is.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import type { Mutant, TextChange } from './mutants/mutant.ts'

const SERVER = resolve(import.meta.dirname, '../..')

/** Each database that a test clones is changed by its owner before anybody else connects to it. */
const afterCloning = (schema: string): TextChange => ({
  file: '../test/support/database.ts',
  from: '  await clone(name, TEMPLATE)\n',
  to: `  await clone(name, TEMPLATE)
  const owner = new pg.Client({ connectionString: urlOf(inject('databaseUrl'), name) })
  await owner.connect()
  await owner.query(${JSON.stringify(schema)})
  await owner.end()
`,
})

export function textChange({ change }: Mutant): TextChange {
  return 'schema' in change ? afterCloning(change.schema) : change
}

export const mutatedPath = (mutant: Mutant): string => join(SERVER, 'src', textChange(mutant).file)

/** The file as the mutant has it. A text that is not there, or is there twice, is no mutant any more. */
export function mutatedText(mutant: Mutant, text = readFileSync(mutatedPath(mutant), 'utf8')): string {
  const { file, from, to } = textChange(mutant)
  const parts = text.split(from)
  if (parts.length !== 2) {
    throw new Error(
      `The mutant "${mutant.name}" changes what stands once in ${file}; it stands there ${parts.length - 1} times.`,
    )
  }
  return parts.join(to)
}
