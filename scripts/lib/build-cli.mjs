// The command line for integrators as one file that Node runs.
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGES } from './paths.mjs'

/**
 * CommonJS: Node starts it a few milliseconds sooner than a module, and what a command does not need is in a function that is
 * not called.
 */
export async function buildCli(outfile) {
  const esbuild = await import('esbuild')
  await esbuild.build({
    entryPoints: [join(PACKAGES, 'cli', 'src', 'main.ts')],
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    legalComments: 'none',
    alias: { '@kestrel/sdk': join(PACKAGES, 'sdk', 'src', 'index.ts') },
    banner: { js: '#!/usr/bin/env node' },
  })
  await esbuild.stop()
  chmodSync(outfile, 0o755)
}
