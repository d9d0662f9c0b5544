// The doors: every action besides a payout that could move live money or take over an account. Each asks a session for
// a mailed code that fits exactly what is about to happen.
import type { DoorCodeRequest } from '@kestrel/contract'

import { AppError } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { keyedHash } from '../../core/seal.ts'
import { doorMail } from '../../mail/templates/code-mails.ts'
import type { TypedFact } from '../../mail/templates/shown-name.ts'
import type { Deps, DataKeys } from '../deps.ts'
import { type Confirmer, mailConfirmCode, spendConfirmCode } from './confirm-codes.ts'

/** What is about to happen: for the code, which fits nothing else, and for the mail, in plain words. */
export interface Door {
  readonly action: DoorCodeRequest['action']
  /** Everything that makes this action different from any other. */
  readonly exactly: readonly (string | number | null)[]
  /** The end of the sentence "Enter this code to …". */
  readonly title: string
  readonly facts: readonly TypedFact[]
}

type DoorDeps = Pick<Deps, 'db' | 'clock' | 'secrets' | 'mailer' | 'post'>

export interface AskedAtDoor {
  readonly sentTo: string
  readonly expiresAt: Date
  readonly confirms: string
}

/** A door that is null stands open. */
export async function askAtDoor(deps: DoorDeps, confirmer: Confirmer, door: Door | null): Promise<AskedAtDoor> {
  if (door === null) throw new AppError('invalid_request', 'This needs no code. Send the request as it is.')
  const { title, facts } = door
  const mail = (code: string) => doorMail({ code, title, facts, businessName: confirmer.businessName })
  const asked = await mailConfirmCode(deps, confirmer, { fingerprint: fingerprintOf(deps.secrets, door), mail })
  return { ...asked, confirms: title }
}

/** Passes with the right code, which is then spent: if something goes wrong afterwards, a new one is needed. */
export async function passDoor(
  deps: DoorDeps,
  confirmer: Confirmer,
  { door, code }: { door: Door | null; code: string | undefined },
): Promise<void> {
  if (door === null) return
  if (code === undefined) throw codeRequired(door.title)
  const usedFor = newId(deps.clock.now())
  await spendConfirmCode(deps, confirmer, {
    fingerprintOf: (secrets) => fingerprintOf(secrets, door),
    code,
    usedFor,
    untouched: 'Nothing was done.',
  })
}

export function codeRequired(title: string): AppError {
  return new AppError(
    'confirm_code_required',
    `${title}: this needs a mailed code. Ask for it with POST /v1/confirm-codes and send it along. Nothing was done.`,
  )
}

function fingerprintOf(secrets: DataKeys, { action, exactly }: Door): Buffer {
  return keyedHash(secrets.fingerprintKey, JSON.stringify(['door.v1', action, ...exactly]))
}
