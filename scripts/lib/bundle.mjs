import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ExpectedFailure } from './expected-failure.mjs'
import { DIST, ENTRY, PACKAGES, ROOT, STUDIO_THREAD_ENTRY, workspaceNames } from './paths.mjs'

/** Bundles the server in memory and gives [{ path, contents }], the program's entry last, and before it the one of its threads. */
export async function bundle() {
  // Loaded here and nowhere else: most starts have nothing to build.
  const esbuild = await import('esbuild')
  try {
    const { outputFiles } = await esbuild.build(options())
    return outputFiles.toSorted((a, b) => rank(a.path) - rank(b.path))
  } catch (error) {
    if (error.errors === undefined) throw error
    const messages = await esbuild.formatMessages(error.errors, { kind: 'error' })
    throw new ExpectedFailure(`${messages.join('')}Kestrel could not be built: see above.`)
  } finally {
    // esbuild keeps a helper process that would otherwise live as long as the server.
    await esbuild.stop()
  }
}

function options() {
  return {
    absWorkingDir: ROOT,
    entryPoints: { kestrel: ENTRY, 'studio-thread': STUDIO_THREAD_ENTRY },
    outdir: DIST,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunk-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: 'linked',
    write: false,
    logLevel: 'silent',
    plugins: [npmPackagesStayOutside()],
  }
}

/** esbuild's own `packages: 'external'` would leave out our workspace packages as well. */
function npmPackagesStayOutside() {
  const ours = workspaceNames().map((name) => {
    return JSON.parse(readFileSync(join(PACKAGES, name, 'package.json'), 'utf8')).name
  })
  // TypeBox is hundreds of small files: reading them one by one took a fifth of a second at every start.
  const isOurs = (path) => [...ours, 'typebox'].some((name) => path === name || path.startsWith(`${name}/`))
  return {
    name: 'npm-packages-stay-outside',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        return kind === 'entry-point' || isOurs(path) ? undefined : { path, external: true }
      })
    },
  }
}

function rank(path) {
  if (path.endsWith('.map')) return 0
  if (path === join(DIST, 'studio-thread.mjs')) return 2
  return path === join(DIST, 'kestrel.mjs') ? 3 : 1
}
