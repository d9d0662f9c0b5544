import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/** Bundles the stand-in where Node finds its packages, and gives the folder and the script. */
export async function buildStandIn(): Promise<{ folder: string; script: string }> {
  const dist = join(import.meta.dirname, '..', '..', 'dist')
  mkdirSync(dist, { recursive: true })
  const folder = mkdtempSync(join(dist, '.test-'))
  const script = join(folder, 'stand-in.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, 'kestrel-stand-in.ts')],
    outfile: script,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  })
  return { folder, script }
}

export interface StandIn {
  readonly child: ChildProcess
  readonly pid: number
  output(): string
  /** Waits until it has printed a line that starts with `word`, and gives that line. */
  line(word: string): Promise<string>
  exit(): Promise<void>
}

/** Runs it as the leader of a process group, as a shell does with a command in a terminal. */
export function runStandIn(
  script: string,
  args: readonly string[],
  user: { uid?: number; gid?: number } = {},
): StandIn {
  const child = spawn(process.execPath, [script, ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exited = once(child, 'exit')
  return {
    child,
    pid: child.pid ?? 0,
    output: () => output,
    exit: async () => void (await exited),
    line: async (word) => {
      for (;;) {
        const found = output.split('\n').find((line) => line.startsWith(word))
        if (found !== undefined) return found
        if (child.exitCode !== null) throw new Error(`ended without "${word}": ${output}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}
