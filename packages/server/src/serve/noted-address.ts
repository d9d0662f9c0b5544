// The addresses of a running service's parts, noted in the data directory for the commands beside it.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type NotedPart = 'api' | 'bank'

export function noteAddress(dataDir: string, part: NotedPart, note: { url: string; pid: number | undefined }): void {
  writeFileSync(noteFile(dataDir, part), JSON.stringify(note), { mode: 0o600 })
}

/** Null when there is none, or its writer has ended. */
export function findNoted(dataDir: string, part: NotedPart): string | null {
  try {
    const { url, pid } = JSON.parse(readFileSync(noteFile(dataDir, part), 'utf8')) as { url: string; pid: number }
    process.kill(pid, 0)
    return url
  } catch {
    return null
  }
}

export function forgetAddress(dataDir: string, part: NotedPart): void {
  rmSync(noteFile(dataDir, part), { force: true })
}

function noteFile(dataDir: string, part: NotedPart): string {
  return join(dataDir, `${part}.json`)
}
