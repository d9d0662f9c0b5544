import { resolve } from 'node:path'

import { describe, expect, it } from 'vitest'

import { UNNAMED_OPERATOR } from '../core/operator.ts'
import { type Config, ConfigError, isLocalDatabase, readConfig } from './config.ts'
import type { Env } from './env.ts'

function problemsOf(env: Env): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

const DEFAULTS: Config = {
  host: '127.0.0.1',
  port: 3000,
  dataDir: resolve('.kestrel'),
  databaseUrl: null,
  migrateDatabaseUrl: null,
  sessionDatabaseUrl: null,
  logLevel: 'info',
  rateLimitPerSecond: 100,
  networkLimitPerSecond: 50,
  publicUrl: null,
  bankHost: '127.0.0.1',
  bankPort: 3001,
  isBankPortGiven: false,
  sandboxBankUrl: null,
  liveBankUrl: null,
  sandboxExcessWallet: null,
  liveExcessWallet: null,
  sweepMs: 10_000,
  activityMonths: 24,
  mailFrom: null,
  isSignUpOpen: true,
  trustProxy: [],
  sandboxReceivers: 'public',
  outboundRefuse: [],
  adminPort: null,
  adminHost: '127.0.0.1',
  traceCollector: null,
  modulusTable: null,
  operator: UNNAMED_OPERATOR,
}

describe('the settings', () => {
  it('have their defaults where nothing is set', () => {
    expect(readConfig({})).toEqual(DEFAULTS)
  })

  it('have their defaults where a variable is set to nothing: that is how compose files write it', () => {
    const names = ['HOST', 'PORT', 'DATA_DIR', 'DATABASE_URL', 'LOG_LEVEL', 'RATE_LIMIT_PER_SECOND', 'PUBLIC_URL']
    for (const blank of ['', '   ']) {
      expect(readConfig(Object.fromEntries(names.map((name) => [name, blank])))).toEqual(DEFAULTS)
    }
  })

  it('are all read', () => {
    expect(
      readConfig({
        OPERATOR_NAME: 'Kestrel Payouts Ltd',
        OPERATOR_ADDRESS: '1 High Street, Leeds LS1 4AP',
        OPERATOR_EMAIL: 'billing@kestrel.example',
        OPERATOR_VAT_NUMBER: 'GB123456789',
        OPERATOR_PAYMENT_DETAILS: 'To our account.',
        INVOICE_NOTE: 'No VAT is due.',
        HOST: '0.0.0.0',
        PORT: ' 8080 ',
        DATA_DIR: '/var/lib/kestrel',
        DATABASE_URL: 'postgresql://kestrel:pw@db.internal:5432/kestrel',
        LOG_LEVEL: 'debug',
        RATE_LIMIT_PER_SECOND: '0',
        NETWORK_RATE_PER_SECOND: '7',
        ACTIVITY_MONTHS: '84',
        PUBLIC_URL: 'https://api.example.com//',
        SMTP_URL: 'smtps://user:pw@mail.example.com',
        MAIL_FROM: 'Kestrel Payouts <payouts@example.com>',
        SIGN_UP: 'closed',
        TRUST_PROXY: '10.0.0.0/8, 192.0.2.1, 2001:db8::/32',
        OUTBOUND_REFUSE: '93.184.215.0/24, 2606:4700::1111',
        BANK_LIVE_EXCESS_WALLET: 'holder-1/wallet-1',
        ADMIN_PORT: '9090',
        ADMIN_HOST: '10.0.0.7',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
        MODULUS_TABLE: '/etc/kestrel/valacdos-v8-90.txt',
      }),
    ).toEqual({
      host: '0.0.0.0',
      port: 8080,
      dataDir: '/var/lib/kestrel',
      databaseUrl: 'postgresql://kestrel:pw@db.internal:5432/kestrel',
      migrateDatabaseUrl: null,
      sessionDatabaseUrl: null,
      logLevel: 'debug',
      rateLimitPerSecond: 0,
      networkLimitPerSecond: 7,
      publicUrl: 'https://api.example.com',
      bankHost: '127.0.0.1',
      bankPort: 8081,
      isBankPortGiven: false,
      sandboxBankUrl: null,
      liveBankUrl: null,
      sandboxExcessWallet: null,
      liveExcessWallet: { holderRef: 'holder-1', walletRef: 'wallet-1' },
      sweepMs: 10_000,
      activityMonths: 84,
      mailFrom: 'Kestrel Payouts <payouts@example.com>',
      isSignUpOpen: false,
      trustProxy: ['10.0.0.0/8', '192.0.2.1', '2001:db8::/32'],
      sandboxReceivers: 'public',
      outboundRefuse: ['93.184.215.0/24', '2606:4700::1111'],
      adminPort: 9090,
      adminHost: '10.0.0.7',
      traceCollector: 'http://collector:4318',
      modulusTable: '/etc/kestrel/valacdos-v8-90.txt',
      operator: {
        name: 'Kestrel Payouts Ltd',
        address: ['1 High Street', 'Leeds LS1 4AP'],
        email: 'billing@kestrel.example',
        vatNumber: 'GB123456789',
        paymentDetails: 'To our account.',
        note: 'No VAT is due.',
      },
    })
  })

  it.each(['true', '*', '1', '0.0.0.0/0', '10.0.0.0/33', '10.0.0.0/8/8', 'proxy.internal', '::/0'])(
    'believe no proxy that is not named: TRUST_PROXY=%s',
    (value) => {
      expect(problemsOf({ TRUST_PROXY: value })).toEqual([
        `TRUST_PROXY must be addresses or networks such as 10.0.0.0/8, with commas; it has ${value}.`,
      ])
    },
  )

  it.each(['hooks.example.com', '93.184.215.0/33', '93.184.215.0/24;10.0.0.0/8', '0.0.0.0/0'])(
    'name networks that webhooks never reach, and nothing else: OUTBOUND_REFUSE=%s',
    (value) => {
      expect(problemsOf({ OUTBOUND_REFUSE: value })).toEqual([
        `OUTBOUND_REFUSE must be addresses or networks such as 10.0.0.0/8, with commas; it has ${value}.`,
      ])
    },
  )

  it('let sandbox webhooks reach this machine only where nobody else can call the service', () => {
    const here = { SANDBOX_RECEIVERS: 'this-machine' }
    expect(readConfig(here).sandboxReceivers).toBe('this-machine')
    expect(readConfig({ ...here, PUBLIC_URL: 'http://localhost:3000', HOST: '::1' }).sandboxReceivers).toBe(
      'this-machine',
    )
    for (const elsewhere of [{ HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://api.example.com' }, { HOST: '127.evil' }]) {
      expect(problemsOf({ ...here, ...elsewhere })).toEqual([
        'SANDBOX_RECEIVERS=this-machine is for a service whose HOST and PUBLIC_URL are this machine alone.',
      ])
    }
    expect(problemsOf({ SANDBOX_RECEIVERS: 'everywhere' })[0]).toContain('must be one of public, this-machine')
  })

  it.each(['wallet-1', 'a/b/c', '/x', 'a b/c'])('refuse %j as the operator’s own wallet at the bank', (value) => {
    expect(problemsOf({ BANK_LIVE_EXCESS_WALLET: value })[0]).toContain('HOLDER/WALLET')
  })

  it('want a sender for a mail server, and never show its password', () => {
    const problems = problemsOf({ SMTP_URL: 'http://user:hunter2@mail.example.com', SIGN_UP: 'maybe' })
    expect(problems).toEqual([
      'SMTP_URL must be an address such as smtps://user:password@mail.example.com.',
      'MAIL_FROM must be set with SMTP_URL, such as: Kestrel Payouts <payouts@example.com>',
      'SIGN_UP must be one of open, closed; it is "maybe".',
    ])
    expect(problemsOf({ SMTP_URL: 'smtp://mail.internal:25', MAIL_FROM: 'payouts@example.com' })).toEqual([])
  })

  it('keep activity for ever where that is said, and never for less than three months', () => {
    expect(readConfig({ ACTIVITY_MONTHS: '0' }).activityMonths).toBe(null)
    expect(readConfig({ ACTIVITY_MONTHS: '3' }).activityMonths).toBe(3)
    for (const months of ['1', '2']) {
      expect(problemsOf({ ACTIVITY_MONTHS: months })).toEqual([
        `ACTIVITY_MONTHS must be at least 3, or 0 to keep everything; it is "${months}".`,
      ])
    }
    expect(problemsOf({ ACTIVITY_MONTHS: '1201' })).toEqual([expect.stringMatching(/^ACTIVITY_MONTHS must be a whole/)])
  })

  it.each(['0', '1', '65535'])('take the port %s', (port) => {
    expect(readConfig({ PORT: port }).port).toBe(Number.parseInt(port, 10))
  })

  it.each(['65536', '-1', '80.5', '0x50', '1e3', 'http', '99999999999999999999', '３０００', '80 81'])(
    'refuse the port %j',
    (port) => {
      expect(problemsOf({ PORT: port })).toEqual([
        `PORT must be a whole number from 0 to 65535; it is ${JSON.stringify(port)}.`,
      ])
    },
  )

  it.each([
    { env: { LOG_LEVEL: 'INFO' }, problem: /^LOG_LEVEL must be one of trace, .*; it is "INFO"\.$/ },
    { env: { LOG_LEVEL: 'verbose' }, problem: /^LOG_LEVEL must be one of/ },
    { env: { RATE_LIMIT_PER_SECOND: '1000001' }, problem: /^RATE_LIMIT_PER_SECOND must be a whole number/ },
    { env: { DATABASE_URL: 'mysql://h/db' }, problem: /^DATABASE_URL must begin with postgres/ },
    {
      env: { DATABASE_SESSION_URL: 'postgres://h/db' },
      problem: /^DATABASE_SESSION_URL is the database behind a pooler/,
    },
    { env: { DATABASE_URL: 'db.internal' }, problem: /^DATABASE_URL must begin with postgres/ },
    { env: { PUBLIC_URL: 'api.example.com' }, problem: /^PUBLIC_URL must be an address/ },
    { env: { PUBLIC_URL: 'ftp://api.example.com' }, problem: /^PUBLIC_URL must be an address/ },
    { env: { PUBLIC_URL: 'https://' }, problem: /^PUBLIC_URL must be an address/ },
  ])('refuse $env and say why', ({ env, problem }) => {
    expect(problemsOf(env)).toEqual([expect.stringMatching(problem)])
  })

  it('report every problem, all of them at once', () => {
    const problems = problemsOf({
      PORT: 'a',
      DATABASE_URL: 'b',
      LOG_LEVEL: 'c',
      RATE_LIMIT_PER_SECOND: 'd',
      PUBLIC_URL: 'e',
    })
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'PORT',
      'DATABASE_URL',
      'LOG_LEVEL',
      'RATE_LIMIT_PER_SECOND',
      'PUBLIC_URL',
    ])
  })

  it('never repeat the password of a database address', () => {
    for (const url of ['mysql://kestrel:hunter2@h/db', 'kestrel:hunter2@h/db']) {
      expect(problemsOf({ DATABASE_URL: url }).join()).not.toContain('hunter2')
    }
  })

  it('report a database address that cannot be read, without its password', () => {
    const problems = problemsOf({ DATABASE_URL: 'postgres://kestrel:hunter2@h:port/db' })
    expect(problems).toEqual([expect.stringMatching(/^DATABASE_URL /)])
    expect(problems.join()).not.toContain('hunter2')
  })
})

describe('a database', () => {
  it.each([
    { url: 'postgres://localhost/kestrel', isLocal: true, why: 'this machine by name' },
    { url: 'postgres://kestrel:pw@127.0.0.1:5432/kestrel', isLocal: true, why: 'by address' },
    { url: 'postgres://[::1]:5432/kestrel', isLocal: true, why: 'by its other address' },
    { url: 'postgres:///kestrel', isLocal: true, why: 'through the default socket' },
    { url: 'postgres://%2Fvar%2Frun%2Fpostgresql/kestrel', isLocal: true, why: 'through a socket' },
    { url: 'postgres:///kestrel?host=/var/run/postgresql', isLocal: true, why: 'through a socket, named behind' },
    { url: 'postgres://db.internal/kestrel', isLocal: false, why: 'another machine' },
    { url: 'postgres://10.0.0.5/kestrel', isLocal: false, why: 'another address' },
    { url: 'postgres://localhost.example.com/kestrel', isLocal: false, why: 'it only begins like this one' },
    { url: 'postgres://127.0.0.1.example.com/kestrel', isLocal: false, why: 'so does this' },
    { url: 'postgres:///kestrel?host=db.internal', isLocal: false, why: 'pg connects to what `host` says' },
    { url: 'postgres://localhost/kestrel?host=db.internal', isLocal: false, why: 'even over the host before it' },
    { url: 'postgres://h:port/kestrel', isLocal: false, why: 'what cannot be read is not trusted' },
  ])('at $url is on this machine: $isLocal, $why', ({ url, isLocal }) => {
    expect(isLocalDatabase(url)).toBe(isLocal)
  })
})
