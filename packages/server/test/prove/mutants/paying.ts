// Mistakes on a payout's way to the bank: each of them pays twice, loses a hold, or says that nothing was sent when it was.
import type { Mutant } from './mutant.ts'

const FAILURES = 'packages/server/test/bank/failure-matrix.test.ts'
const IN_DOUBT = 'packages/server/test/bank/refused-in-doubt.test.ts'
const SENT_AT_ONCE = 'packages/server/test/races/sent-at-once.test.ts'

export const PAYING: readonly Mutant[] = [
  {
    name: 'timeout-is-not-sent',
    promise: 'paid-once',
    mistake: 'A bank that does not answer in time is taken not to have been asked.',
    change: {
      file: 'rail/provider/provider-client.ts',
      from: '  const isTooLarge = error instanceof TooLargeError\n',
      to: `  const isTooLarge = error instanceof TooLargeError
  if (!isTooLarge) return { kind: 'not_sent', reason: 'The bank did not answer.' }
`,
    },
    caughtBy: { file: FAILURES, test: "'hang_after' > on the first try" },
  },
  {
    name: 'new-reference-per-attempt',
    promise: 'paid-once',
    mistake: 'Each time that the bank is asked, it is asked under a new reference and a new key.',
    change: {
      file: 'rail/provider/provider-rail.ts',
      from: `function postTransfer(client: ProviderClient, request: TransferRequest): Promise<ProviderReply> {
`,
      to: `function postTransfer(client: ProviderClient, asked: TransferRequest): Promise<ProviderReply> {
  const request = { ...asked, clientReference: crypto.randomUUID() }
`,
    },
    caughtBy: { file: FAILURES, test: "'reset_after' > on the first try" },
  },
  {
    name: 'no-recovery-of-claimed-payouts',
    promise: 'paid-once',
    mistake: 'A payout whose worker died with it in hand is never taken up again.',
    change: {
      file: 'storage/due-payouts.ts',
      from: "and ${isFreeToFollow('$1')} and partner_id <> all($4::uuid[])",
      to: 'and lease_until is null and partner_id <> all($4::uuid[])',
    },
    caughtBy: { file: 'packages/server/test/races/fencing.test.ts', test: 'a worker that was away for longer' },
  },
  {
    name: 'no-hold',
    promise: 'never-overdrawn',
    mistake: 'The money of a payout is not held while the bank is asked.',
    change: {
      file: 'storage/reserve-sent.ts',
      from: "'hold', 'available', 'held', wallet_sends_micro, ${MOVES_AT} from paid`",
      to: "'hold', 'available', 'held', wallet_sends_micro, ${MOVES_AT} from paid where false`",
    },
    caughtBy: { file: FAILURES, test: "'hang_before' > on the first try" },
  },
  {
    name: 'sent-from-nowhere',
    promise: 'never-overdrawn',
    mistake: 'A payout that is sent at once is not taken out of the wallet.',
    change: {
      file: 'storage/reserve-sent.ts',
      from: "where moved.kind = 'hold' or ${IS_SENT}",
      to: "where (moved.kind = 'hold' or ${IS_SENT}) and provider_ref is null",
    },
    caughtBy: { file: SENT_AT_ONCE, test: 'makes one payout' },
  },
  {
    name: 'completed-in-anothers-hands',
    promise: 'legal-moves',
    mistake: 'A payout completes as its rail foretold although a worker has a lease on it.',
    change: {
      file: 'storage/foretold-ends.ts',
      from: "and completes_at <= $2 and ${isFreeToFollow('$2')}",
      to: 'and completes_at <= $2',
    },
    caughtBy: {
      file: 'packages/server/test/races/foretold-ends.test.ts',
      test: 'is left to whoever has its lease',
    },
  },
  {
    name: 'no-fencing',
    promise: 'paid-once',
    mistake: 'Whoever had a payout once may record its outcome, although another has it now.',
    change: {
      file: 'domain/payouts/record/record-outcomes.ts',
      from: 'if (row.leaseToken !== outcome.leaseToken) return { isOurs: false, row }',
      to: 'if (row.leaseToken === undefined) return { isOurs: false, row }',
    },
    caughtBy: {
      file: 'packages/server/test/races/fencing.test.ts',
      test: 'never says that nothing was sent while somebody else is asking',
    },
  },
  {
    name: 'no-unique-index',
    promise: 'one-key-one-payout',
    mistake: 'The database lets two payouts have one Idempotency-Key.',
    change: { schema: 'drop index payouts_idempotency_key' },
    caughtBy: {
      file: 'packages/server/test/storage/payout-guards.test.ts',
      test: 'an Idempotency-Key > belongs to one payout',
    },
  },
  {
    name: 'settle-outside-the-transaction',
    promise: 'books-balance',
    mistake: 'A payout’s status is committed before the entries that belong to it are written.',
    change: {
      file: 'domain/payouts/record/write-decisions.ts',
      from: '  postEntries(tx, scope, entries, now)\n',
      to: "  tx.defer({ name: 'commit_early', text: 'commit' })\n  postEntries(tx, scope, entries, now)\n",
    },
    caughtBy: {
      file: 'packages/server/test/billing/charges.test.ts',
      test: 'happen together or not at all',
    },
  },
  {
    name: 'release-on-unknown',
    promise: 'no-hidden-payment',
    mistake: 'The hold is released, and 502 answered, when nobody knows what the bank did.',
    change: {
      file: 'domain/payouts/record/decide-outcome.ts',
      from: "    case 'unknown':\n      return keepWaiting(row, now, answer)\n",
      to: "    case 'unknown':\n      return row.surfacedAt === null ? giveUp(row, 'not_sent', now) : keepWaiting(row, now, answer)\n",
    },
    caughtBy: { file: FAILURES, test: "'500_after' > on the first try" },
  },
  {
    name: 'nothing-was-sent-too-early',
    promise: 'no-hidden-payment',
    mistake: 'A repeated request is told that nothing was sent while the first one is with the bank.',
    change: {
      file: 'domain/payouts/create/create-payout.ts',
      from: '  const row = await afterFirstRequest(deps, waiting, { scope: input.terms, idempotencyKey: input.idempotencyKey })\n  if (row === null)',
      to: `  const once: Waiting = { forFirstRequest: async (look) => void (await look()) }
  void waiting
  const row = await afterFirstRequest(deps, once, { scope: input.terms, idempotencyKey: input.idempotencyKey })
  if (row === null)`,
    },
    caughtBy: {
      file: 'packages/server/test/http/payouts.create.idempotency.test.ts',
      test: 'waits for the first one and replays its payout',
    },
  },
  {
    name: 'broken-connection-is-not-sent',
    promise: 'no-hidden-payment',
    mistake: 'What went wrong is judged by its name, and not by whether the request had left.',
    change: {
      file: 'rail/provider/provider-client.ts',
      from: "  if (!hasLeft) return { kind: 'not_sent',",
      to: "  if (!hasLeft || /^(ECONN|EPIPE|EPROTO|ERR_SSL|UND_ERR_SOCKET)/.test(code)) return { kind: 'not_sent',",
    },
    caughtBy: { file: 'packages/server/test/bank/broken-connections.test.ts', test: 'leaves the payout in doubt' },
  },
  {
    name: 'late-request-is-sent',
    promise: 'no-hidden-payment',
    mistake: 'A request that waited too long for a connection, and was told as not sent, is sent when there is one.',
    change: { file: 'rail/provider/exchange.ts', from: '    if (this.#isOver) throw timeoutError()\n', to: '' },
    caughtBy: {
      file: 'packages/server/test/bank/exchange.test.ts',
      test: 'is not sent, and neither when the connection is there at last',
    },
  },
  {
    name: 'forgotten-key-is-asked-again',
    promise: 'paid-once',
    mistake: 'The bank is asked again after it may have forgotten the key: it would make a second transfer.',
    change: {
      file: 'domain/payouts/follow/ask-again.ts',
      from: 'deps.clock.now().getTime() - row.createdAt.getTime() < rail.remembersForMs',
      to: 'rail.remembersForMs > 0',
    },
    caughtBy: {
      file: 'packages/server/test/bank/silence.test.ts',
      test: 'a payout that the bank never had is pending',
    },
  },
  {
    name: 'refused-in-doubt-waits-for-ever',
    promise: 'goes-on',
    mistake: 'A payout in doubt that the bank then refuses holds its money for ever.',
    change: {
      file: 'domain/payouts/follow/ask-again.ts',
      from: '    return isSettled && (await isMoneyThere(deps, scope, { rail, request, row }))\n',
      to: '    return isSettled && row.sendAttempts < 0 && (await isMoneyThere(deps, scope, { rail, request, row }))\n',
    },
    caughtBy: { file: IN_DOUBT, test: 'fails and is released, an hour after' },
  },
  {
    name: 'refused-in-doubt-fails-at-once',
    promise: 'paid-once',
    mistake: 'A refusal of the repeated request is believed before the bank’s list can have shown the transfer.',
    change: {
      file: 'domain/payouts/follow/ask-again.ts',
      from: '    return isSettled && (await isMoneyThere(deps, scope, { rail, request, row }))\n',
      to: "    return isSettled || row.id !== ''\n",
    },
    caughtBy: { file: IN_DOUBT, test: 'is not failed while the bank’s list may show it late' },
  },
  {
    name: 'refused-key-is-used-again',
    promise: 'goes-on',
    mistake: 'After a refusal the bank is asked under the same key, and answers with its first refusal for ever.',
    change: {
      file: 'domain/payouts/record/decide-outcome.ts',
      from: 'return { bankAttempt: row.bankAttempt + 1, listedBy',
      to: 'return { bankAttempt: row.bankAttempt, listedBy',
    },
    caughtBy: { file: IN_DOUBT, test: 'is asked under a new key after a refusal' },
  },
  {
    name: 'suspended-partner-pays',
    promise: 'own-data-only',
    mistake: 'A payout in doubt of a suspended partner is sent all the same.',
    change: {
      file: 'domain/payouts/follow/follow-payouts.ts',
      from: 'unanswered.length > 0 && (await mayPartnerPay(deps.db, scope))',
      to: 'unanswered.length > 0 || (await mayPartnerPay(deps.db, scope))',
    },
    caughtBy: { file: IN_DOUBT, test: 'a payout in doubt of a partner that may not pay any more' },
  },
  {
    name: 'reference-of-nobody',
    promise: 'any-order',
    mistake: 'The bank is told a reference that is no payout’s.',
    change: {
      file: 'rail/provider/provider-rail.ts',
      from: '      client_reference_id: request.clientReference,\n',
      to: '      client_reference_id: crypto.randomUUID(),\n',
    },
    caughtBy: {
      file: 'packages/server/test/bank/any-sequence.test.ts',
      test: 'one transfer per key',
      error: 'Property failed',
      env: { SEED: '7', SEQUENCES: '12' },
    },
  },
]
