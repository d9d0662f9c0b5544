// Packages that are asked for when the program is read, and are needed later or never: all of them took a tenth of a second at every start.

/** What other packages get in place of what they ask for. None of it is in the bundle. */
const FOR_PACKAGES = {
  // @fastify/swagger, for a document as YAML.
  yaml: `exports.parse = (...args) => require('yaml').parse(...args)
    exports.stringify = (...args) => require('yaml').stringify(...args)`,
  // @fastify/static, to list a folder at the start instead of looking into it.
  glob: `exports.glob = () => { throw new Error('glob is no part of the bundle: see scripts/lib/late-packages.mjs') }`,
  // prom-client, for figures that name a trace.
  '@opentelemetry/api': `module.exports = {}`,
}

/** What the server gets: it reads the package when it is first used (http/body). */
const FOR_US = {
  '@fastify/fast-json-stringify-compiler': `module.exports = (...args) => require('@fastify/fast-json-stringify-compiler')(...args)`,
  ajv: `exports.Ajv = function (options) { return new (require('ajv').Ajv)(options) }`,
  'ajv-formats': `exports.default = (...args) => require('ajv-formats').default(...args)`,
}

const NAMESPACE = 'late'

export function latePackages(isOfPackage) {
  return {
    name: 'late-packages',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, importer, namespace, resolveDir }) => {
        if (namespace === NAMESPACE) return Object.hasOwn(FOR_PACKAGES, path) ? { path, external: true } : undefined
        const late = isOfPackage(importer) ? FOR_PACKAGES : FOR_US
        return Object.hasOwn(late, path) ? { path, namespace: NAMESPACE, pluginData: { resolveDir } } : undefined
      })
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path, pluginData: { resolveDir } }) => {
        return { contents: FOR_PACKAGES[path] ?? FOR_US[path], loader: 'js', resolveDir }
      })
    },
  }
}
