import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The script of the reference, as its package ships it. Looked for when the page is first asked for, not before. */
export function readScalarLibrary(): Promise<Buffer> {
  // The package exports its main file only, which lies beside the script's folder.
  const main = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')
  return readFile(join(dirname(main), 'js/standalone.js'))
}
