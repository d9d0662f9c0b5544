// SQL whose parameters have names. Where the parts of a statement share parameters, each says `$from` or `$limit`, and
// nobody has to count.
import { assert } from '../core/assert.ts'
import { type SqlStatement, statement } from './sql.ts'

export interface NamedStatement<Name extends string> extends SqlStatement {
  /** The values of the statement's parameters, in its order. Names that it does not use are left out. */
  values(given: Readonly<Record<Name, unknown>>): unknown[]
}

const PARAMETER = /\$([a-z]\w*)/gi

export function namedStatement<Name extends string>(name: string, text: string): NamedStatement<Name> {
  const names = [...new Set([...text.matchAll(PARAMETER)].map((match) => match[1] as Name))]
  const numbered = text.replaceAll(PARAMETER, (_, parameter: Name) => `$${names.indexOf(parameter) + 1}`)
  return {
    ...statement(name, numbered),
    values: (given) =>
      names.map((parameter) => {
        assert(parameter in given, `the statement ${name} has a value for $${parameter}`)
        return given[parameter]
      }),
  }
}
