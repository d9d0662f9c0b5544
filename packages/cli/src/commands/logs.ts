// Requests on the account as they come in.
import type { ActivityEntry } from '@kestrel/sdk'

import { countOf } from '../amount.ts'
import type { Context } from '../command.ts'
import { pause } from '../watch.ts'

const LOOK_AGAIN_MS = 2_000
/** An entry can be written a moment after one that is younger. */
const OVERLAP_MS = 60_000
const OWN_PATH = '/v1/activity'

export async function run(context: Context): Promise<void> {
  const { out, around } = context
  const { signal } = around
  const count = countOf(context.option('limit'), { name: 'limit', usual: 20, most: 1_000 })
  const { environment } = context.settings()
  const query = {
    in_environment: environment,
    ...(context.has('failed') ? { status_class: '4xx' as const } : {}),
    ...(context.has('changes') ? { only: 'changes' as const } : {}),
  }
  const kestrel = await context.client()
  let seen = new Map<string, number>()
  const tell = (entries: readonly ActivityEntry[]) => {
    for (const entry of entries.toReversed()) {
      if (seen.has(entry.id)) continue
      seen.set(entry.id, Date.parse(entry.at))
      // Looking at the log is in the log, and would be all that is in it.
      if (entry.path !== OWN_PATH) out.line(entry, lineOf(entry))
    }
  }
  tell(await kestrel.activity.list(query, { signal }).first(count))
  while (!context.has('once') && !signal.aborted) {
    await pause(LOOK_AGAIN_MS, signal)
    if (signal.aborted) return
    const newest = Math.max(0, ...seen.values())
    const from = new Date(newest - OVERLAP_MS).toISOString()
    const later = kestrel.activity.list(newest === 0 ? query : { ...query, from }, { signal })
    try {
      const entries: ActivityEntry[] = []
      for await (const entry of later) entries.push(entry)
      tell(entries)
    } catch (error) {
      if (signal.aborted) return
      throw error
    }
    seen = new Map([...seen].filter(([, at]) => at >= newest - 2 * OVERLAP_MS))
  }
}

function lineOf({ at, method, path, status, duration_ms: ms, by, detail, action }: ActivityEntry): string {
  const what = method === null ? action : `${method} ${path}`
  return `${at}  ${status ?? '-'}  ${what}  ${ms === null ? '' : `${ms} ms  `}${by}${detail === null ? '' : `  ${detail}`}`
}
