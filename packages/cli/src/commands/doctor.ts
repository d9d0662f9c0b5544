// What could be wrong between this machine and the service, each looked at by itself.
import { statSync } from 'node:fs'

import { ApiError, Kestrel, VERSION } from '@kestrel/sdk'

import type { Context } from '../command.ts'
import { EXIT, type Exit, Failure } from '../failure.ts'
import { USUAL_URL, type Settings, credentialsPath } from '../settings.ts'
import { ownKey } from './whoami.ts'

interface Check {
  readonly check: string
  readonly result: 'ok' | 'warning' | 'wrong'
  readonly says: string
}

const LONGEST_MS = 10_000
/** A receiver refuses webhooks that are more than five minutes off. */
const WRONG_SKEW_S = 300
const ODD_SKEW_S = 30

export async function run(context: Context): Promise<Exit> {
  const settings = settingsOr(context)
  const key: Check =
    settings instanceof Failure
      ? { check: 'key', result: 'wrong', says: settings.message }
      : { check: 'key', result: 'ok', says: `a ${settings.environment} key, from ${settings.keyFrom}` }
  const url =
    settings instanceof Failure ? context.option('url') || context.around.env['KESTREL_URL'] || USUAL_URL : settings.url
  const checks = [key, ...fileChecks(context), ...(await reachChecks(context, url))]
  const isReached = checks.some(({ check, result }) => check === 'reach' && result === 'ok')
  if (isReached && !(settings instanceof Failure)) checks.push(...(await keyChecks(context, settings)))
  context.out.table(
    checks,
    [
      { title: 'CHECK', of: ({ check }) => check },
      { title: 'RESULT', of: ({ result }) => result },
      { title: 'WHAT', of: ({ says }) => says },
    ],
    '',
  )
  const wrong = checks.filter(({ result }) => result === 'wrong').map(({ check }) => check)
  if (wrong.some((check) => check === 'key' || check === 'account')) return EXIT.notAuthorised
  return wrong.length > 0 ? EXIT.refused : EXIT.done
}

function settingsOr(context: Context): Settings | Failure {
  try {
    return context.settings()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

function fileChecks({ around }: Context): Check[] {
  const path = credentialsPath(around)
  const mode = statSync(path, { throwIfNoEntry: false })?.mode
  if (mode === undefined) return []
  const isOpen = process.platform !== 'win32' && (mode & 0o077) !== 0
  return [
    isOpen
      ? { check: 'file', result: 'wrong', says: `others can read ${path}: chmod 600, and make a new key` }
      : { check: 'file', result: 'ok', says: `only you can read ${path}` },
  ]
}

async function reachChecks({ around }: Context, url: string): Promise<Check[]> {
  const begun = Date.now()
  try {
    const answer = await around.fetch(`${url.replace(/\/+$/, '')}/v1`, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.any([around.signal, AbortSignal.timeout(LONGEST_MS)]),
    })
    const ended = Date.now()
    const { version } = (await answer.json().catch(() => ({}))) as { version?: unknown }
    if (!answer.ok || typeof version !== 'string') {
      return [
        { check: 'reach', result: 'wrong', says: `${url} answers ${answer.status}, and not as this service does` },
      ]
    }
    return [
      { check: 'reach', result: 'ok', says: `${url} answers` },
      versionCheck(version),
      clockCheck(answer.headers.get('date'), (begun + ended) / 2),
      ...plainTextCheck(url),
    ]
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string; message?: string } }
    return [
      { check: 'reach', result: 'wrong', says: `${url} does not answer: ${cause?.code ?? cause?.message ?? message}` },
    ]
  }
}

function versionCheck(version: string): Check {
  const isSame = version.split('.')[0] === VERSION.split('.')[0]
  const says = version === VERSION ? version : `the service is ${version}, this program is made for ${VERSION}`
  return { check: 'version', result: isSame ? 'ok' : 'warning', says }
}

function clockCheck(date: string | null, nowMs: number): Check {
  const theirs = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(theirs)) return { check: 'clock', result: 'warning', says: 'the service does not say its time' }
  // Its time has whole seconds.
  const seconds = Math.abs(Math.round((nowMs - theirs - 500) / 1_000))
  if (seconds <= ODD_SKEW_S) return { check: 'clock', result: 'ok', says: 'this machine and the service agree' }
  const says = `they are ${seconds} seconds apart; webhooks are refused beyond ${WRONG_SKEW_S}`
  return { check: 'clock', result: seconds > WRONG_SKEW_S ? 'wrong' : 'warning', says }
}

/** A key that goes unencrypted over a network can be read there. */
function plainTextCheck(url: string): Check[] {
  const { protocol, hostname } = new URL(url)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol === 'https:' || isHere) return []
  return [{ check: 'encryption', result: 'warning', says: 'the key is sent over http: use https' }]
}

async function keyChecks({ around }: Context, { key, url }: Settings): Promise<Check[]> {
  const kestrel = new Kestrel({ apiKey: key, baseUrl: url, fetch: around.fetch, timeoutMs: LONGEST_MS, maxRetries: 0 })
  try {
    const account = await kestrel.account.retrieve({ signal: around.signal })
    const own = await ownKey(kestrel, key, around.signal)
    return [
      {
        check: 'account',
        result: account.status === 'active' ? 'ok' : 'wrong',
        says: `${account.name}, ${account.status}`,
      },
      { check: 'environment', result: 'ok', says: account.environment },
      ...(own === null ? [] : [{ check: 'scopes', result: 'ok', says: own.scopes.join(', ') } as const]),
      ...(account.payouts_pause == null
        ? []
        : [{ check: 'payouts', result: 'warning', says: `paused since ${account.payouts_pause.paused_at}` } as const]),
    ]
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [{ check: 'account', result: 'wrong', says: `the key is refused: ${error.code}` }]
  }
}
