// The programs of a PostgreSQL cluster: Debian's, those that are installed or, without root, fetched into a folder of the
// checkout. Nothing is installed on the machine, so no service of Debian's starts by itself.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ExpectedFailure } from '../expected-failure.mjs'
import { canFetchFromDebian, fetchFromDebian } from '../fetch-debian.mjs'
import { ROOT } from '../paths.mjs'
import { runtimeUser } from './runtime-user.mjs'

const POSTGRES = '/usr/lib/postgresql/15/bin'
const PYTHON = '/usr/bin/python3'
const POOLER = 'usr/sbin/pgbouncer'
const PACKAGES = ['patroni', 'etcd-server', 'haproxy', 'pgbouncer']
const ADVICE = 'Install them: apt-get install patroni etcd-server haproxy pgbouncer postgresql-15.'

/**
 * Where each program is, and with which environment it runs. `stream` hears what takes long. Fails with what to do where
 * they are not here and cannot be fetched.
 */
export async function findParts(stream) {
  const system = partsBelow('/')
  if (system !== null && existsSync(POSTGRES)) return checked(system)
  if (!canFetchFromDebian()) {
    throw new ExpectedFailure(`A cluster needs Patroni, etcd, HAProxy and PostgreSQL 15 of Debian 12. ${ADVICE}`)
  }
  const packages = [...PACKAGES, ...(existsSync(POSTGRES) ? [] : ['postgresql-15'])]
  const folder = await fetchFromDebian(stream, {
    home: join(ROOT, '.cluster'),
    packages,
    label: 'Cluster',
    name: 'Patroni, etcd, HAProxy, PgBouncer',
    size: existsSync(POSTGRES) ? '15 MB' : '60 MB',
    advice: ADVICE,
  })
  const fetched = partsBelow(folder)
  if (fetched === null) throw new ExpectedFailure(`Some of the cluster’s programs are not in ${folder}. ${ADVICE}`)
  return checked(fetched)
}

/** PgBouncer alone; null where it is not here and cannot be fetched. `stream` hears what takes long. */
export async function findPgBouncer(stream) {
  const here = ['/', join(ROOT, '.cluster/debian')].find((root) => existsSync(join(root, POOLER)))
  if (here === undefined && !canFetchFromDebian()) return null
  const root =
    here ??
    (await fetchFromDebian(stream, {
      home: join(ROOT, '.pooler'),
      packages: ['pgbouncer'],
      label: 'Pooler',
      name: 'PgBouncer',
      size: '1 MB',
      advice: 'Install it: apt-get install pgbouncer.',
    }))
  return { program: join(root, POOLER), env: environmentOf(root) }
}

function partsBelow(root) {
  const parts = {
    patroni: join(root, 'usr/bin/patroni'),
    patronictl: join(root, 'usr/bin/patronictl'),
    etcd: join(root, 'usr/bin/etcd'),
    haproxy: join(root, 'usr/sbin/haproxy'),
    pgbouncer: join(root, POOLER),
  }
  if (!existsSync(PYTHON) || Object.values(parts).some((path) => !existsSync(path))) return null
  const own = join(root, 'usr/lib/postgresql/15/bin')
  return { ...parts, python: PYTHON, postgres: existsSync(own) ? own : POSTGRES, env: environmentOf(root) }
}

function environmentOf(root) {
  const lib = join(root, 'usr/lib')
  const libraries = existsSync(lib)
    ? readdirSync(lib)
        .filter((name) => name.endsWith('-linux-gnu'))
        .map((name) => join(lib, name))
    : []
  return {
    PATH: process.env.PATH,
    LC_ALL: 'C.UTF-8',
    // On arm64 etcd wants to be told that one means it.
    ETCD_UNSUPPORTED_ARCH: process.arch,
    ...(root === '/' ? {} : { PYTHONPATH: join(lib, 'python3/dist-packages'), LD_LIBRARY_PATH: libraries.join(':') }),
  }
}

/** Each is asked for its version, as the user that it will run as: better now than half-way. */
function checked(parts) {
  const user = runtimeUser()
  const ask = (command, args) => {
    const { status, stdout, stderr } = spawnSync(command, args, { env: parts.env, encoding: 'utf8', ...user.ids })
    // etcd says first that it was told to run on another machine than most.
    if (status === 0)
      return (
        stdout
          .split('\n')
          .find((line) => /\d+\.\d+/.test(line))
          ?.trim() ?? ''
      )
    const why = (stderr ?? '').trim().split('\n').at(-1)
    throw new ExpectedFailure(`${command} does not run as ${user.name}: ${why}\n${ADVICE}`)
  }
  return {
    ...parts,
    versions: {
      patroni: ask(parts.python, [parts.patroni, '--version']),
      etcd: ask(parts.etcd, ['--version']),
      haproxy: ask(parts.haproxy, ['-v']),
      postgres: ask(join(parts.postgres, 'postgres'), ['--version']),
    },
  }
}
