// A PostgreSQL cluster on one machine: etcd, three nodes of Patroni, HAProxy before them, and the links between.
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { ExpectedFailure } from '../expected-failure.mjs'
import { findParts } from './find-parts.mjs'
import { freePorts } from './free-ports.mjs'
import { descendantsOf, endProcess, namesOf, pidOf, send, startProcess } from './processes.mjs'
import { runtimeUser } from './runtime-user.mjs'
import { NODES, etcdArguments, haproxySettings, linksOf, patroniSettings } from './settings.mjs'

const LINKS = join(dirname(fileURLToPath(import.meta.url)), 'links.mjs')
const PER_NODE = ['postgres', 'rest', 'etcdLink', 'peerLink', 'restLink', 'clientLink', 'checkLink']

/** Starts a whole cluster, or leaves nothing behind. One that is not synchronous loses what it acknowledged: for comparison. */
export async function upCluster(stream, { longestMs = 120_000, isSynchronous = true } = {}) {
  const parts = await findParts(stream)
  const folder = mkdtempSync(join(tmpdir(), 'kestrel-cluster-'))
  try {
    const cluster = await prepare(folder, parts, isSynchronous)
    start(cluster)
    await until('all three nodes run, one as the primary', () => isWhole(cluster), longestMs)
    await makeDatabase(cluster)
    return cluster
  } catch (error) {
    const said = whatWentWrong(folder)
    await downCluster(folder)
    throw new ExpectedFailure(`The cluster did not start: ${error.message}\n${said}`)
  }
}

/** The cluster of a folder that another process may have started. */
export function clusterIn(folder) {
  const file = join(folder, 'cluster.json')
  if (!existsSync(file)) throw new ExpectedFailure(`There is no cluster in ${folder}.`)
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Ends what was started, and nothing else, and removes the folder. */
export async function downCluster(folder) {
  const names = namesOf(folder)
  // First those that would start again what is ended.
  const nodes = names.filter((name) => NODES.includes(name))
  await Promise.all(nodes.map((name) => endProcess(folder, name, { longestMs: 20_000 })))
  for (const name of NODES) endPostgres(join(folder, name))
  for (const name of names.filter((each) => !nodes.includes(each))) await endProcess(folder, name)
  rmSync(folder, { recursive: true, force: true })
}

async function prepare(folder, parts, isSynchronous) {
  const user = runtimeUser()
  const own = (path) => user.ids.uid !== undefined && chownSync(path, user.ids.uid, user.ids.gid)
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'logs'))
  for (const name of ['etcd', ...NODES]) mkdirSync(join(folder, name), { mode: 0o700 })
  for (const path of ['.', 'etcd', ...NODES]) own(join(folder, path))
  const [haproxy, etcd, etcdPeer, control, ...rest] = await freePorts(4 + NODES.length * PER_NODE.length)
  const nodes = Object.fromEntries(NODES.map((name) => [name, nextPorts(rest)]))
  const secret = () => randomBytes(12).toString('hex')
  const passwords = Object.fromEntries(
    ['superuser', 'replication', 'rewind', 'owner', 'service'].map((name) => [name, secret()]),
  )
  const ports = { haproxy, etcd, etcdPeer, control, nodes }
  const cluster = { folder, parts, ports, passwords, isSynchronous }
  const write = (name, content) => {
    const path = join(folder, name)
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2), { mode: 0o600 })
    own(path)
  }
  for (const name of NODES) write(`${name}.json`, patroniSettings(name, cluster))
  write('haproxy.cfg', haproxySettings(cluster.ports))
  write('links.json', { control, links: NODES.flatMap((name) => linksOf(name, cluster.ports)) })
  write('cluster.json', cluster)
  return cluster
}

const nextPorts = (rest) => Object.fromEntries(PER_NODE.map((name) => [name, rest.shift()]))

function start(cluster) {
  const { folder, parts, ports } = cluster
  const { ids } = runtimeUser()
  const run = (name, command, args) => startProcess(folder, name, { command, args, env: parts.env, ids })
  // As ourselves: Node may be where only we can read it.
  startProcess(folder, 'links', { command: process.execPath, args: [LINKS, join(folder, 'links.json')], env: {} })
  run('etcd', parts.etcd, etcdArguments(folder, ports))
  for (const name of NODES) startNode(cluster, name)
  run('haproxy', parts.haproxy, ['-db', '-f', join(folder, 'haproxy.cfg')])
}

/** Patroni, which starts PostgreSQL. */
export function startNode({ folder, parts }, name) {
  const { ids } = runtimeUser()
  const args = [parts.patroni, join(folder, `${name}.json`)]
  return startProcess(folder, name, { command: parts.python, args, env: parts.env, ids })
}

/** As a machine that loses its power: Patroni, PostgreSQL and all that they started, at once. */
export function killNode({ folder }, name) {
  const patroni = pidOf(folder, name)
  const postmaster = postmasterOf(join(folder, name))
  const roots = [patroni, postmaster].filter((pid) => pid !== null)
  for (const pid of roots.flatMap((root) => [root, ...descendantsOf(root)])) send(pid, 'SIGKILL')
}

function endPostgres(dataDir) {
  const postmaster = postmasterOf(dataDir)
  if (postmaster !== null) for (const pid of [postmaster, ...descendantsOf(postmaster)]) send(pid, 'SIGKILL')
}

/** Only one that works in this folder: a number may have been given to somebody else since. */
function postmasterOf(dataDir) {
  const file = join(dataDir, 'postmaster.pid')
  if (!existsSync(file)) return null
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(dataDir) ? pid : null
  } catch {
    return null
  }
}

/** Cuts or mends links: `n1` is all of a node’s, `n1.cluster` those to the other nodes and to etcd. */
export async function network({ ports }, verb, which) {
  return (await fetch(`http://127.0.0.1:${ports.control}/${verb}/${which}`)).json()
}

/** Who is what, as the first node that answers sees it, `without` one that is cut off; null when none does. */
export async function members({ ports }, without = null) {
  for (const name of NODES.filter((each) => each !== without)) {
    const url = `http://127.0.0.1:${ports.nodes[name].rest}/cluster`
    const reply = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
    if (reply?.ok) return (await reply.json()).members
  }
  return null
}

export async function leaderOf(cluster, without = null) {
  return (await members(cluster, without))?.find(({ role }) => role === 'leader')?.name ?? null
}

/** One primary, and both others follow it, one of them synchronously where that is wanted. */
export async function isWhole(cluster) {
  const found = (await members(cluster)) ?? []
  const roles = found.map(({ role }) => role)
  const areUp = found.every(({ role, state }) =>
    role === 'leader' ? state === 'running' : /running|streaming/.test(state),
  )
  const leader = found.find(({ role }) => role === 'leader')
  const isLevel = found.every(({ timeline }) => timeline === leader?.timeline)
  const isKept = !cluster.isSynchronous || roles.includes('sync_standby')
  return found.length === NODES.length && areUp && isLevel && isKept
}

/** The addresses by which the service reaches whoever is the primary. */
export function urlsOf({ ports, passwords }) {
  const url = (user, password, database) => `postgres://${user}:${password}@127.0.0.1:${ports.haproxy}/${database}`
  return {
    superuser: url('postgres', passwords.superuser, 'postgres'),
    owner: url('kestrel_owner', passwords.owner, 'kestrel'),
    service: url('kestrel_service', passwords.service, 'kestrel'),
  }
}

/** As docs/operations.md says. */
async function makeDatabase(cluster) {
  const { superuser } = urlsOf(cluster)
  const { owner, service } = cluster.passwords
  await until('the primary is reached through HAProxy', () => canConnect(superuser), 30_000)
  const client = new pg.Client({ connectionString: superuser })
  await client.connect()
  try {
    await client.query(`create role kestrel_owner login password '${owner}'`)
    await client.query(`create role kestrel_service login password '${service}'`)
    await client.query('create database kestrel owner kestrel_owner')
  } finally {
    await client.end()
  }
}

async function canConnect(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

export async function until(what, isSo, longestMs) {
  const deadline = Date.now() + longestMs
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`waited ${Math.round(longestMs / 1_000)} s in vain until ${what}`)
    await pause(200)
  }
}

/** The last words of each log: the folder is removed. */
function whatWentWrong(folder) {
  return namesOf(folder)
    .map((name) => {
      const file = join(folder, 'logs', `${name}.log`)
      const words = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').slice(-4).join('\n  ') : ''
      return `${name}:\n  ${words}`
    })
    .join('\n')
}
