// This file runs before we know how old Node is, so it keeps to syntax that every Node
// with ES modules can parse: no imports, no top-level await, nothing newer than ES2017.

const OLDEST = [20, 19, 0]

export function isRecentEnough(version) {
  const parts = version.split('.').map((part) => parseInt(part, 10))
  for (let i = 0; i < OLDEST.length; i += 1) {
    if (parts[i] !== OLDEST[i]) return parts[i] > OLDEST[i]
  }
  return true
}

/** Prints one line and ends the process when this Node is too old to run Kestrel. */
export function requireRecentNode() {
  const version = process.versions.node
  if (isRecentEnough(version)) return
  process.stderr.write(
    'Kestrel needs Node 20.19 or newer. This is ' + version + '. Install a newer one, for example: nvm install 24\n',
  )
  process.exit(1)
}
