// Which key is used, and where it goes.
import { join } from 'node:path'

import type { Given } from './command.ts'
import { EXIT, Failure, misuse } from './failure.ts'
import { folderOf, readIfThere, writePrivately } from './private-files.ts'
import type { Surroundings } from './surroundings.ts'

export type Environment = 'sandbox' | 'live'

export interface Settings {
  readonly key: string
  readonly url: string
  readonly environment: Environment
  /** In words, for a person who wonders. */
  readonly keyFrom: string
}

export interface Stored {
  readonly key: string
  readonly url: string
}

export type Credentials = Partial<Record<Environment, Stored>>

export const USUAL_URL = 'http://127.0.0.1:3000'

export function credentialsPath(around: Pick<Surroundings, 'env' | 'home'>): string {
  return join(folderOf(around), 'credentials.json')
}

export function readCredentials(around: Pick<Surroundings, 'env' | 'home'>): Credentials {
  const path = credentialsPath(around)
  const text = readIfThere(path)
  if (text === null) return {}
  try {
    return JSON.parse(text) as Credentials
  } catch {
    throw misuse(`${path} is not readable as JSON. Remove it, and log in again.`)
  }
}

export function storeCredentials(around: Surroundings, credentials: Credentials): void {
  writePrivately(credentialsPath(around), `${JSON.stringify(credentials, null, 2)}\n`)
}

/** The environment that a key belongs to; anything that is no key is refused without being shown. */
export function environmentOf(key: string, from: string): Environment {
  const [, environment] = /^kp_(sandbox|live)_\w+$/.exec(key) ?? []
  if (environment !== undefined) return environment as Environment
  throw new Failure(`${from} is no API key: one begins with kp_sandbox_ or kp_live_, and has no blanks.`, {
    exit: EXIT.notAuthorised,
    code: 'broken_key',
    hints: ['Copy the whole key from the dashboard, under API keys.'],
  })
}

export function readSettings(given: Given, around: Surroundings): Settings {
  const isLive = given.has('live')
  const found = keyOf(given, around)
  const url = given.option('url') || around.env['KESTREL_URL']
  if (found !== null) {
    const environment = environmentOf(found.key, found.from)
    checkEnvironment(environment, found.from, isLive)
    if (environment === 'live') checkLiveAddress(url)
    return { key: found.key, url: url || USUAL_URL, environment, keyFrom: found.from }
  }
  const environment = isLive ? 'live' : 'sandbox'
  const stored = readCredentials(around)[environment]
  if (stored === undefined) throw noKey(environment)
  const from = credentialsPath(around)
  checkEnvironment(environmentOf(stored.key, from), from, isLive)
  // It was given for one address, and must not go to another.
  if (url && !isSameAddress(url, stored.url)) {
    throw misuse(
      `The stored key belongs to ${stored.url} and is not sent to ${url}.`,
      'Give --key as well, or log in there.',
    )
  }
  if (environment === 'live') checkLiveAddress(stored.url)
  return { ...stored, environment, keyFrom: from }
}

/** For commands that make things up: with a live key one of them would be a payment that nobody meant. */
export function sandboxOnly({ environment }: Settings, command: string): void {
  if (environment === 'live') throw misuse(`${command} is for sandbox, and the key is a live one. Nothing was asked.`)
}

function keyOf(given: Given, { env }: Surroundings): { key: string; from: string } | null {
  const [option, variable] = [given.option('key'), env['KESTREL_KEY']]
  if (option !== undefined) return { key: option.trim(), from: '--key' }
  return variable ? { key: variable.trim(), from: 'KESTREL_KEY' } : null
}

function checkEnvironment(environment: Environment, from: string, isLive: boolean): void {
  if (environment === 'live' && !isLive) {
    throw misuse(`The key from ${from} is a live key: it moves real money. Add --live if you mean that.`)
  }
  if (environment === 'sandbox' && isLive) {
    throw misuse(`--live is given, and the key from ${from} is a sandbox key. Nothing was asked.`)
  }
}

/** Whoever listens on the way would have the key, and read who is paid. */
export function checkLiveAddress(url: string | undefined): void {
  if (!url) throw misuse('A live key needs to know where it goes: give --url, or set KESTREL_URL.')
  if (!URL.canParse(url)) throw misuse(`"${url}" is no address. One begins with https://.`)
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:' || IS_THIS_MACHINE.test(hostname)) return
  throw misuse(`A live key goes over https only, and not to ${protocol}//${hostname}. Nothing was asked.`)
}

const IS_THIS_MACHINE = /^(localhost|127(\.\d+){3}|\[::1\])$/

function noKey(environment: Environment): Failure {
  const flag = environment === 'live' ? ' --live' : ''
  return new Failure(`There is no ${environment} key. Log in, set KESTREL_KEY, or give --key.`, {
    exit: EXIT.notAuthorised,
    code: 'no_key',
    hints: [`kestrel-pay login${flag}`],
  })
}

function isSameAddress(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && addressOf(one) === addressOf(other)
}

/** One text for one address: `…:3000/` is `…:3000`. */
export function addressOf(url: string): string {
  return (URL.canParse(url) ? new URL(url).href : url).replace(/\/+$/, '')
}
