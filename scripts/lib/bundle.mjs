import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ExpectedFailure } from './expected-failure.mjs'
import { latePackages } from './late-packages.mjs'
import { DIST, ENTRY, NODE_MODULES, PACKAGES, ROOT, STUDIO_THREAD_ENTRY, workspaceNames } from './paths.mjs'

const REQUIRE =
  "import { createRequire as kestrelRequire } from 'node:module'; const require = kestrelRequire(import.meta.url)"

// pg asks for it, to know whether it runs in a browser's worker. Where it is missing, as in Node 20, pg makes a Response
// instead, for which Node loads all that `fetch` needs: a twentieth of a second at every start.
const NAVIGATOR = "const kestrelNavigator = { userAgent: 'Node.js' }"

/** Bundles the server in memory and gives [{ path, contents }], the program's entry last, and before it the one of its threads. */
export async function bundle() {
  // Loaded here and nowhere else: most starts have nothing to build.
  const esbuild = await import('esbuild')
  const { withSharedShapes } = await import('./shared-shapes.mjs')
  try {
    const { outputFiles } = await esbuild.build(options())
    return outputFiles
      .toSorted((a, b) => rank(a.path) - rank(b.path))
      .map(({ path, text }) => ({ path, contents: path.endsWith('.mjs') ? withSharedShapes(text) : text }))
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
    // Packages in the older module format ask for Node's own modules with `require`.
    banner: { js: `${REQUIRE}; ${NAVIGATOR}` },
    define: { navigator: 'kestrelNavigator' },
    plugins: [latePackages(isOfPackage), otherPackagesStayOutside()],
  }
}

/**
 * Packages that go into the bundle with all that they need. Reading their hundreds of small files one by one took most of
 * the time that a start needs. Left out is what finds files beside its own code, such as fonts, and what few starts need.
 */
export const TAKEN_IN = [
  '@fastify/fast-json-stringify-compiler',
  '@fastify/static',
  '@fastify/swagger',
  'ajv',
  'ajv-formats',
  'commander',
  'csv-stringify',
  'fastify',
  'nodemailer',
  'pg',
  'pino',
  'prom-client',
  'secure-json-parse',
  'typebox',
  'undici',
]

/** Looked for by a package that can do without. */
const ABSENT = ['pg-native']

const isOfPackage = (importer) => importer.startsWith(NODE_MODULES)

function otherPackagesStayOutside() {
  const ours = workspaceNames().map((name) => {
    return JSON.parse(readFileSync(join(PACKAGES, name, 'package.json'), 'utf8')).name
  })
  const isOneOf = (names, path) => names.some((name) => path === name || path.startsWith(`${name}/`))
  return {
    name: 'other-packages-stay-outside',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind, importer, namespace }) => {
        if (kind === 'entry-point' || path.startsWith('node:') || namespace !== 'file') return undefined
        const isTheirs = isOfPackage(importer)
        if (path === 'undici' && !isTheirs) return { path: join(import.meta.dirname, 'undici-part.mjs') }
        const isInside = isTheirs ? !isOneOf(ABSENT, path) : isOneOf([...ours, ...TAKEN_IN], path)
        return isInside ? undefined : { path, external: true }
      })
    },
  }
}

function rank(path) {
  if (path.endsWith('.map')) return 0
  if (path === join(DIST, 'studio-thread.mjs')) return 2
  return path === join(DIST, 'kestrel.mjs') ? 3 : 1
}
