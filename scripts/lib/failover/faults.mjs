// What is done to the primary, and how the cluster is made whole again.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isWhole, killNode, leaderOf, members, network, startNode, until } from '../cluster/cluster.mjs'
import { runtimeUser } from '../cluster/runtime-user.mjs'

const LONGEST_MS = 120_000

/** Each breaks the primary, and returns what mends it. */
const FAULTS = {
  /** Its machine loses its power. */
  kill: async (cluster, primary) => {
    killNode(cluster, primary)
    return async () => void startNode(cluster, primary)
  },
  /** The operator hands over to the standby that has everything. */
  switch: async (cluster, primary) => {
    const standbys = (await members(cluster)).filter(({ role }) => role !== 'leader')
    const { name } = standbys.find(({ role }) => role === 'sync_standby') ?? standbys[0]
    switchOver(cluster, primary, name)
    return async () => undefined
  },
  /** Nobody reaches it, and it reaches nobody. */
  cut: async (cluster, primary) => {
    await network(cluster, 'cut', primary)
    return () => network(cluster, 'mend', primary)
  },
  /** It is cut off from the other nodes and from etcd, but not from those who pay. */
  split: async (cluster, primary) => {
    await network(cluster, 'cut', `${primary}.cluster`)
    return () => network(cluster, 'mend', primary)
  },
}

export const KINDS = Object.keys(FAULTS)

function switchOver({ folder, parts }, primary, standby) {
  const args = [parts.patronictl, '-c', join(folder, `${standby}.json`), 'switchover', 'kestrel']
  const options = { env: { ...parts.env, HOME: folder }, encoding: 'utf8', ...runtimeUser().ids }
  const { status, stdout, stderr } = spawnSync(
    parts.python,
    [...args, '--leader', primary, '--candidate', standby, '--force'],
    options,
  )
  if (status !== 0) throw new Error(`patronictl: ${stdout}${stderr}`)
}

/** Carries out one, waits until another node is the primary and has been paid with, and until all three are back. */
export async function carryOut(kind, cluster, load, lullMs) {
  const primary = await leaderOf(cluster)
  const before = load.counted()
  const at = Date.now()
  const mend = await FAULTS[kind](cluster, primary)
  const next = async () => leaderOf(cluster, primary)
  await until('another node is the primary', async () => ![primary, null].includes(await next()), LONGEST_MS)
  const promotedAt = Date.now()
  const successor = await next()
  await until('a payout is made', () => load.firstPaidAfter(promotedAt) !== null, LONGEST_MS)
  const paidAt = load.firstPaidAfter(promotedAt)
  await pause(lullMs)
  await mend()
  await until('all three nodes are back', () => isWhole(cluster), LONGEST_MS)
  const after = load.counted()
  return {
    kind,
    from: primary,
    to: successor,
    promotedSeconds: seconds(promotedAt - at),
    paidSeconds: seconds(paidAt - at),
    silenceSeconds: seconds(load.longestSilence(at, paidAt)),
    wholeSeconds: seconds(Date.now() - at),
    acknowledged: after.acknowledged - before.acknowledged,
    refused: after.refused - before.refused,
  }
}

const seconds = (ms) => Math.round(ms / 100) / 10
