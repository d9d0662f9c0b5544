// The program as it was released last, built from the history of this checkout: what it does on a newer schema is what an
// upgrade does to those who run it.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../../..')

/** The last commit before the migrations since the last release; a release moves both. */
export const RELEASED = { commit: '88970208849c', lastMigration: '0012' } as const

export interface Release {
  /** What `node` runs. */
  readonly program: string
  readonly remove: () => void
}

/** Whether the history goes back that far: a shallow clone has none. */
export function hasRelease(): boolean {
  return spawnSync('git', ['cat-file', '-e', `${RELEASED.commit}^{commit}`], { cwd: ROOT }).status === 0
}

export function buildRelease(): Release {
  const folder = mkdtempSync(join(tmpdir(), 'kestrel-released-'))
  const archive = join(folder, 'released.tar')
  execFileSync('git', ['archive', '--output', archive, RELEASED.commit], { cwd: ROOT })
  execFileSync('tar', ['-xf', archive, '-C', folder])
  borrowModules(folder)
  // Its own script, so that it is built as it was then. It finds all that it needs and installs nothing.
  const script = `import(${JSON.stringify(join(folder, 'scripts/lib/build.mjs'))}).then((m) => m.ensureBuilt(process.stderr))`
  execFileSync(process.execPath, ['-e', script], { cwd: folder, stdio: 'pipe' })
  return {
    program: join(folder, 'packages/server/bin/kestrel.mjs'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Other people's packages are those of this checkout; ours are its own. */
function borrowModules(folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@kestrel'), { recursive: true })
  const theirs = join(ROOT, 'node_modules')
  for (const name of readdirSync(theirs)) {
    if (name !== '@kestrel') symlinkSync(join(theirs, name), join(modules, name))
  }
  for (const name of readdirSync(join(folder, 'packages'))) {
    const own = join(folder, 'packages', name)
    const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as { name: string }
    symlinkSync(own, join(modules, manifest.name))
  }
}
