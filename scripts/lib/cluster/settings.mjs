// What each part of the cluster is told. docs/failover.md says which of it belongs into production as well.
import { join } from 'node:path'

const HOST = '127.0.0.1'
export const NODES = ['n1', 'n2', 'n3']
/** Whom HAProxy counts as the primary is asked of Patroni this often. */
const CHECK = 'inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions'

/** Seconds: a node that is gone is replaced after at most `ttl`. `loop_wait` and twice `retry_timeout` must fit into it. */
export const PACE = { ttl: 20, loop_wait: 2, retry_timeout: 5 }

/** Of every node, and the same on each: whichever is promoted must not promise less than the one before. */
export const POSTGRES_SETTINGS = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  wal_log_hints: 'on',
  max_connections: 100,
  max_wal_senders: 10,
  max_replication_slots: 10,
  wal_keep_size: '256MB',
  // A standby or a client whose machine is gone says no goodbye.
  wal_sender_timeout: '10s',
  wal_receiver_timeout: '10s',
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  shared_buffers: '64MB',
  log_min_messages: 'warning',
}

/** The links of a node, by the port that its own programs listen on. */
export function linksOf(name, ports) {
  const node = ports.nodes[name]
  return [
    { name: `${name}.cluster.etcd`, listen: node.etcdLink, to: ports.etcd },
    { name: `${name}.cluster.postgres`, listen: node.peerLink, to: node.postgres },
    { name: `${name}.cluster.patroni`, listen: node.restLink, to: node.rest },
    { name: `${name}.clients.postgres`, listen: node.clientLink, to: node.postgres },
    { name: `${name}.clients.check`, listen: node.checkLink, to: node.rest },
  ]
}

export function etcdArguments(folder, ports) {
  const [client, peer] = [`http://${HOST}:${ports.etcd}`, `http://${HOST}:${ports.etcdPeer}`]
  return [
    ['--name', 'etcd1'],
    ['--data-dir', join(folder, 'etcd')],
    ['--listen-client-urls', client],
    ['--advertise-client-urls', client],
    ['--listen-peer-urls', peer],
    ['--initial-advertise-peer-urls', peer],
    ['--initial-cluster', `etcd1=${peer}`],
  ].flat()
}

/** JSON is YAML. */
export function patroniSettings(name, { folder, ports, parts, passwords, isSynchronous }) {
  const node = ports.nodes[name]
  return {
    scope: 'kestrel',
    name,
    restapi: { listen: `${HOST}:${node.rest}`, connect_address: `${HOST}:${node.restLink}` },
    // As a proxy: Patroni would otherwise ask etcd for its address and go there past the link.
    etcd3: { host: `${HOST}:${node.etcdLink}`, use_proxies: true },
    bootstrap: {
      dcs: {
        ...PACE,
        maximum_lag_on_failover: 1_048_576,
        // Strict: while no standby has it, nothing is acknowledged.
        synchronous_mode: isSynchronous,
        synchronous_mode_strict: isSynchronous,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters: POSTGRES_SETTINGS },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `${HOST}:${node.postgres}`,
      connect_address: `${HOST}:${node.peerLink}`,
      data_dir: join(folder, name),
      bin_dir: parts.postgres,
      pgpass: join(folder, `${name}.pgpass`),
      authentication: {
        superuser: { username: 'postgres', password: passwords.superuser },
        replication: { username: 'replicator', password: passwords.replication },
        rewind: { username: 'rewinder', password: passwords.rewind },
      },
      parameters: { unix_socket_directories: folder },
      pg_hba: [`host replication replicator ${HOST}/32 scram-sha-256`, `host all all ${HOST}/32 scram-sha-256`],
    },
    watchdog: { mode: 'off' },
  }
}

export function haproxySettings(ports) {
  const servers = NODES.map((name) => {
    const { clientLink, checkLink } = ports.nodes[name]
    return `  server ${name} ${HOST}:${clientLink} check port ${checkLink}`
  })
  return `global
  maxconn 400
defaults
  mode tcp
  retries 2
  timeout connect 2s
  timeout check 1500ms
  timeout client 1h
  timeout server 1h
listen primary
  bind ${HOST}:${ports.haproxy}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server ${CHECK}
${servers.join('\n')}
`
}
