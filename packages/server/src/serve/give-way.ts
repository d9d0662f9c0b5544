// What was accepted goes ahead of what is new. On a machine that API, worker and database share, an API at its limit took the
// processor from those who bring its payouts to their end, and events reached partners a second late.
import { getPriority, setPriority } from 'node:os'

/** Lets others of this machine go first by so many steps of niceness. Whoever has started us with more of it, keeps it. */
export function giveWay(nice: number): void {
  try {
    if (getPriority() < nice) setPriority(nice)
  } catch {
    // Not every system lets a process change it; it only costs speed.
  }
}
