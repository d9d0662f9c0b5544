// The bank besides payments: accounts, top-ups, verification, and its messages (webhooks.ts).
import type { VerificationStatus } from '@kestrel/contract'

import { randomHex } from '../../core/ids.ts'
import type { Verification } from '../account.ts'
import type { PartnerBank } from '../port.ts'
import { AlreadyThere, ask } from './ask-provider.ts'
import { type Json, asObject, optionalLongText, optionalText, text, wordOrNull } from './json-words.ts'
import { listAccountDeposits, listDeposits, readDeposit } from './list-deposits.ts'
import { addTestMoney, openSandboxHolder, openTopUp, openWallet, readWalletBalance } from './open-account.ts'
import type { ProviderClient } from './provider-client.ts'
import { createWebhooks } from './webhooks.ts'

export function createProviderBank(client: ProviderClient): PartnerBank {
  return {
    openSandboxHolder: (partner) => openSandboxHolder(client, partner),
    openWallet: (holderRef, key) => openWallet(client, holderRef, key),
    openTopUp: (account, key) => openTopUp(client, account, key),
    addTestMoney: (account, amount, key) => addTestMoney(client, account, { amount, key }),
    readWalletBalance: (account) => readWalletBalance(client, account),
    startVerification: (partner, how) => startVerification(client, partner, how),
    readVerification: async (ref) =>
      verification(await ask(client, { method: 'GET', path: `/kyc_links/${encodeURIComponent(ref)}` })),
    listDeposits: (source, since, cursor) => listDeposits(client, source, { since, cursor }),
    readDeposit: (source, ref) => readDeposit(client, source, ref),
    listAccountDeposits: (account, ways) => listAccountDeposits(client, account, ways),
    webhooks: createWebhooks(client),
  }
}

async function startVerification(
  client: ProviderClient,
  partner: { id: string; name: string; email: string },
  { returnUrl, after }: { returnUrl: string | null; after: string | null },
): Promise<Verification> {
  const redirect = returnUrl === null ? {} : { redirect_uri: returnUrl }
  const body = { full_name: partner.name, email: partner.email, type: 'business', ...redirect }
  const make = (idempotencyKey: string) => ask(client, { method: 'POST', path: '/kyc_links', body, idempotencyKey })
  const key = `verification:${partner.id}${after === null ? '' : `:after:${after}`}`
  try {
    return verification(await make(key))
  } catch (error) {
    if (!(error instanceof AlreadyThere)) throw error
    // The key was used up by a try whose answer never came, or that had other details. A link that nobody follows
    // lapses.
    return verification(await make(`${key}:${randomHex(8)}`))
  }
}

const VERIFICATION_STATUS: Readonly<Record<string, VerificationStatus>> = {
  not_started: 'in_progress',
  incomplete: 'in_progress',
  awaiting_questionnaire: 'in_progress',
  awaiting_ubo: 'in_progress',
  under_review: 'in_review',
  approved: 'approved',
  rejected: 'rejected',
  paused: 'suspended',
  offboarded: 'suspended',
}

function verification(json: Json): Verification {
  const bankStatus = text(json, 'kyc_status')
  const isOpen = !['approved', 'rejected'].includes(bankStatus)
  return {
    verificationRef: text(json, 'id'),
    holderRef: optionalText(json, 'customer_id'),
    // A status that is new to us is never taken for good news.
    status: VERIFICATION_STATUS[bankStatus] ?? 'in_review',
    bankStatus,
    continueUrl: isOpen ? optionalLongText(json, 'kyc_link') : null,
    termsUrl: json['tos_status'] === 'approved' ? null : optionalLongText(json, 'tos_link'),
    reasons: rejectionReasons(json['rejection_reasons']),
  }
}

/** `developer_reason` is for the operator, `reason` for the business. */
function rejectionReasons(given: unknown): string[] {
  const reasons = (Array.isArray(given) ? given : []).map((each) => wordOrNull(asObject(each), 'reason'))
  return reasons.filter((reason) => reason !== null)
}
