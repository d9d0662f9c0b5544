import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The reference's script, as its package ships it. Looked for only when the page is first asked for. */
export function readScalarLibrary(): Promise<Buffer> {
  // The package exports only its main file, which is beside the script's folder.
  const main = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')
  return readFile(join(dirname(main), 'js/standalone.js'))
}
