// Moves what older keys made to the newest, in batches: payouts with everything derived from their recipient, then mails
// and the secrets of webhook endpoints. A batch and its progress are one transaction, so a crash costs one batch.
import { keyId, seal, sealedWith } from '../../core/seal.ts'
import {
  type MovedPayout,
  type Resealing,
  type SealedPayout,
  endPass,
  keepPosition,
  lockSealedPayouts,
  movePayouts,
  takeResealing,
} from '../../storage/resealing.ts'
import { resealMails, takeMailsOfOlderKeys } from '../../storage/sealed-mails.ts'
import type { Tx } from '../../storage/sql.ts'
import type { Deps } from '../deps.ts'
import { openMail } from '../mail/deliver-mails.ts'
import {
  isSameRequest,
  recipientFingerprint,
  requestFingerprint,
  sealRecipient,
  storedRequest,
} from '../payouts/request/payout-request.ts'
import { moveWebhookSecrets } from '../webhooks/move-webhook-secrets.ts'
import { recipientMarks } from '../payouts/warn/recipient-marks.ts'

type ResealDeps = Pick<Deps, 'db' | 'clock' | 'secrets' | 'onAlarm'>

const BATCH = 200
/** Few at a time: some mails carry invoices. */
const MAILS = 20

/** Returns whether there may be more. */
export function reseal(deps: ResealDeps, most = BATCH): Promise<boolean> {
  return deps.db.inTransaction(async (tx) => {
    const state = await takeResealing(tx)
    // A process without the newest key leaves it to those that have it.
    if (state === null || !writesWith(deps, state)) return false
    const page = await lockSealedPayouts(tx, state.position, most)
    const moved = page.flatMap((row) => remade(deps, row, state) ?? [])
    movePayouts(tx, moved)
    const last = page.at(-1)
    if (last !== undefined) keepPosition(tx, last, moved.length)
    if (page.length === most) return true
    await moveMails(tx, deps)
    await moveWebhookSecrets(tx, deps)
    // A process with an older key may have written behind us: only a pass that finds nothing is the last.
    const isLast = state.moved + moved.length === 0
    endPass(tx, isLast ? deps.clock.now() : null)
    return !isLast
  })
}

function writesWith({ secrets }: ResealDeps, state: Resealing): boolean {
  return keyId(secrets.sealKey).equals(state.sealKey) && keyId(secrets.fingerprintKey).equals(state.fingerprintKey)
}

function isMoved(row: SealedPayout, state: Resealing): boolean {
  return isSealedBy(row, state.sealKey) && row.fingerprintKey?.equals(state.fingerprintKey) === true
}

function isSealedBy(row: SealedPayout, id: Buffer): boolean {
  return sealedWith(row.recipientSealed)?.equals(id) === true
}

/**
 * Null for a row that is moved already, and for one that cannot be moved: it stays as it is, and an alarm tells of it.
 */
function remade(deps: ResealDeps, row: SealedPayout, state: Resealing): MovedPayout | null {
  const { secrets } = deps
  try {
    if (isMoved(row, state)) return null
    const request = storedRequest(secrets, row)
    if (!isSameRequest(secrets, row, request, row.amount))
      throw new Error('Its fingerprint is not that of its request.')
    return {
      old: row,
      recipientSealed: isSealedBy(row, keyId(secrets.sealKey))
        ? row.recipientSealed
        : sealRecipient(secrets, request.recipient, row.id),
      fingerprint: requestFingerprint(secrets, request, row.amount),
      recipientFingerprint: recipientFingerprint(secrets, request.recipient),
      fingerprintKey: keyId(secrets.fingerprintKey),
      marks: recipientMarks(secrets, request.recipient),
    }
  } catch (error) {
    deps.onAlarm('a payout could not be moved to the newest keys', {
      payoutId: row.id,
      partnerId: row.partnerId,
      err: error,
    })
    return null
  }
}

async function moveMails(tx: Tx, deps: ResealDeps): Promise<void> {
  const { sealKey } = deps.secrets
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const mails = await takeMailsOfOlderKeys(tx, keyId(sealKey), after, MAILS)
    resealMails(
      tx,
      mails.flatMap((mail) => {
        try {
          return [{ id: mail.id, sealed: seal(sealKey, JSON.stringify(openMail(deps, mail)), mail.id) }]
        } catch (error) {
          deps.onAlarm('a mail could not be moved to the newest key', { mailId: mail.id, err: error })
          return []
        }
      }),
    )
    if (mails.length < MAILS) return
    after = mails.at(-1)!.id
  }
}
