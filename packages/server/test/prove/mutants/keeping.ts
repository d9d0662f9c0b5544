// Mistakes in what holds whatever the bank does: the books, the bill, who may do what, and that the service goes on.
import type { Mutant } from './mutant.ts'

export const KEEPING: readonly Mutant[] = [
  {
    name: 'entries-can-be-changed',
    promise: 'books-balance',
    mistake: 'An entry of the ledger can be changed afterwards.',
    change: { schema: 'drop trigger ledger_entries_are_kept on ledger_entries' },
    caughtBy: { file: 'packages/server/test/storage/ledger-guards.test.ts', test: 'an entry > is kept for ever' },
  },
  {
    name: 'completed-goes-back',
    promise: 'legal-moves',
    mistake: 'The database lets a payout go from any status to any other.',
    change: { schema: 'drop trigger guard_payout on payouts' },
    caughtBy: {
      file: 'packages/server/test/storage/payout-guards.test.ts',
      test: 'the status of a payout',
    },
  },
  {
    name: 'overdrawn-account',
    promise: 'never-overdrawn',
    mistake: 'The database lets an account go below nothing.',
    change: { schema: 'alter table ledger_accounts drop constraint ledger_account_not_overdrawn' },
    caughtBy: { file: 'packages/server/test/storage/ledger-guards.test.ts', test: 'is never below nothing' },
  },
  {
    name: 'transfer-amounts-not-reconciled',
    promise: 'books-agree',
    mistake: 'The comparison of the books does not look at what the bank took for a payout.',
    change: {
      file: 'domain/banking/reconcile/compare-books.ts',
      from: "  if (sent !== taken) breaks.push(found('sent_amount_differs', sent, taken))\n  else if",
      to: '  void sent\n  void taken\n  if',
    },
    caughtBy: {
      file: 'packages/server/test/bank/reconciliation.test.ts',
      test: 'are found by the whole reconciliation too',
    },
  },
  {
    name: 'month-of-utc',
    promise: 'billed-once',
    mistake: 'A payout belongs to the month of UTC instead of London’s.',
    change: {
      file: 'core/london-day.ts',
      from: "timeZone: 'Europe/London',\n  year",
      to: "timeZone: 'UTC',\n  year",
    },
    caughtBy: { file: 'packages/server/test/billing/months.test.ts', test: 'a payout that completes > at' },
  },
  {
    name: 'return-charged-before-it-is-one',
    promise: 'billed-once',
    mistake: 'A return is charged when the bank speaks of it, and not when the money is back.',
    change: {
      file: 'domain/payouts/record/write-decisions.ts',
      from: "row.completedAt !== null && row.refundState !== 'done' && change.refundState === 'done',",
      to: "row.completedAt !== null && row.refundState === 'none' && change.refundState !== 'none',",
    },
    caughtBy: {
      file: 'packages/server/test/billing/charges.test.ts',
      test: 'is charged for no return, and for a true one later',
    },
  },
  {
    name: 'fingerprint-of-the-surface',
    promise: 'replays',
    mistake: 'Two requests count as the same although their recipients differ.',
    change: {
      file: 'domain/idempotency/fingerprint.ts',
      from: 'return keyedHash(key, `${purpose}\\n${canonicalText(body)}`)',
      to: 'return keyedHash(key, `${purpose}\\n${JSON.stringify(body, Object.keys(body as object).toSorted())}`)',
    },
    caughtBy: {
      file: 'packages/server/test/http/payouts.create.idempotency.test.ts',
      test: 'with a key again and another body, 422',
    },
  },
  {
    name: 'dollars-rounded-down',
    promise: 'exact',
    mistake: 'What the wallet sends is rounded down, and does not buy the pounds.',
    change: {
      file: 'core/rate.ts',
      from: 'usdcFromCents(divideUp(amount * rate.denominator, rate.numerator))',
      to: 'usdcFromCents(divideDown(amount * rate.denominator, rate.numerator))',
    },
    caughtBy: {
      file: 'packages/server/src/core/rate.test.ts',
      test: 'are never less than the exact value',
      error: 'Property failed',
    },
  },
  {
    name: 'another-partners-payout-is-shown',
    promise: 'own-data-only',
    mistake: 'Whoever knows the id of a payout can read it.',
    change: {
      file: 'storage/payouts.ts',
      from: 'where partner_id = $1 and environment = $2 and id = $3 and surfaced_at is not null`',
      to: 'where ($1::uuid is not null) and ($2::environment is not null) and id = $3 and surfaced_at is not null`',
    },
    caughtBy: { file: 'packages/server/test/http/payouts.get.test.ts', test: 'the same answer, to the byte' },
  },
  {
    name: 'guesses-not-counted',
    promise: 'codes',
    mistake: 'Wrong codes are judged without end.',
    change: {
      file: 'storage/sign-in-codes.ts',
      from: 'and used_at is null and attempts < $4 and expires_at > $3',
      to: 'and used_at is null and $4::int > 0 and expires_at > $3',
    },
    caughtBy: {
      file: 'packages/server/test/races/sign-in.test.ts',
      test: 'is judged five times at most',
    },
  },
  {
    name: 'code-opens-twice',
    promise: 'codes',
    mistake: 'A code that was used opens another session.',
    change: {
      file: 'storage/sign-in-codes.ts',
      from: 'and used_at is null and attempts < $4 and expires_at > $3',
      to: 'and attempts < $4 and expires_at > $3',
    },
    caughtBy: { file: 'packages/server/test/races/sign-in.test.ts', test: 'opens one session' },
  },
  {
    name: 'revoked-key-works-on',
    promise: 'keys',
    mistake: 'A key that was revoked goes on opening doors.',
    change: {
      file: 'storage/api-keys.ts',
      from: "where ${which} and ${isWorking('k.', at)}`",
      to: 'where ${which}`',
    },
    caughtBy: { file: 'packages/server/test/races/revocation.test.ts', test: 'opens nothing for any request' },
  },
  {
    name: 'revoked-key-listens-on',
    promise: 'keys',
    mistake: 'A stream tells what is new before it is known whether its key still works.',
    change: {
      file: 'http/routes/event-stream.ts',
      from: 'if (await ask()) {',
      to: 'void ask()\n      if (!isOver) {',
    },
    caughtBy: { file: 'packages/server/test/http/stream.test.ts', test: 'once its key is revoked' },
  },
  {
    name: 'revoked-key-pays-on',
    promise: 'keys',
    mistake: 'A payout that was on its way is made although its key has been revoked.',
    change: {
      file: 'storage/reserve-new-payouts.ts',
      from: 'where holder.version is null or holder.version <> item.holder_version',
      to: 'where false',
    },
    caughtBy: { file: 'packages/server/test/races/revocation.test.ts', test: 'is revoked while its payout waits' },
  },
  {
    name: 'key-pays-as-it-was',
    promise: 'keys',
    mistake: 'A payout is made by what was known of its key a moment ago.',
    change: {
      file: 'storage/reserve-new-payouts.ts',
      from: 'where holder.version is null or holder.version <> item.holder_version',
      to: 'where holder.version is null',
    },
    caughtBy: { file: 'packages/server/test/http/keys.assumed-callers.test.ts', test: 'a key that may only read' },
  },
  {
    name: 'revoked-key-is-told',
    promise: 'keys',
    mistake: 'What was paid with a key is told once more after it was revoked.',
    change: {
      file: 'domain/payouts/create/create-payout.ts',
      from: 'else await input.assumed?.prove()',
      to: '',
    },
    caughtBy: { file: 'packages/server/test/http/keys.assumed-callers.test.ts', test: 'a key that was revoked' },
  },
  {
    name: 'price-begins-late',
    promise: 'exact',
    mistake: 'A plan that was written together with the one before it is not noticed when it becomes valid.',
    change: {
      file: 'storage/api-keys.ts',
      from: "plan.valid_from, '|', plan.version)`",
      to: 'plan.version)`',
    },
    caughtBy: {
      file: 'packages/server/test/http/keys.kept-holders.test.ts',
      test: 'is told with each plan from its beginning on',
    },
  },
  {
    name: 'sixth-key',
    promise: 'keys',
    mistake: 'Keys that are asked for at once are counted before any of them is there.',
    change: {
      file: 'domain/api-keys/create-key.ts',
      from: '  await lockPartner(tx, partnerId)\n',
      to: '  void lockPartner\n',
    },
    caughtBy: { file: 'packages/server/test/races/key-limit.test.ts', test: 'give exactly five in live' },
  },
  {
    name: 'masks-nothing',
    promise: 'nothing-in-logs',
    mistake: 'The log of requests keeps what it is sent as it is.',
    change: {
      file: 'http/masking/kept-bodies.ts',
      from: '    const masked = mask.value(body)\n',
      to: '    const masked: unknown = body\n',
    },
    caughtBy: {
      file: 'packages/server/test/http/request-bodies.test.ts',
      test: 'shows the request and the answer of a payout, masked',
    },
  },
  {
    name: 'nul-reaches-the-database',
    promise: 'any-input',
    mistake: 'Text that the database cannot hold is taken.',
    change: {
      file: 'http/body/strict-json.ts',
      from: "  if (string.includes('\\u0000')) throw invalid('The body holds a NUL character.')\n",
      to: '',
    },
    caughtBy: { file: 'packages/server/test/http/errors.test.ts', test: 'NUL' },
  },
  {
    name: 'silence-is-waited-for',
    promise: 'goes-on',
    mistake: 'A connection to the database that neither answers nor breaks is waited for without end.',
    change: { file: 'storage/silence.ts', from: '  }, limitMs)\n', to: '  }, limitMs * 1_000)\n' },
    caughtBy: {
      file: 'packages/server/test/storage/silence.test.ts',
      test: 'are given up within their limit',
      error: 'timed out in',
      withinMs: 12_000,
    },
  },
  {
    name: 'silence-is-our-error',
    promise: 'goes-on',
    mistake: 'A connection that went silent is answered with 500, and used again.',
    change: { file: 'core/outage.ts', from: "readonly code = 'ETIMEDOUT'", to: "readonly code = 'ESILENT'" },
    caughtBy: { file: 'packages/server/test/storage/silence.test.ts', test: 'are given up within their limit' },
  },
  {
    name: 'read-only-session-is-kept',
    promise: 'goes-on',
    mistake: 'A session that takes no writes is an error of ours, and is used again.',
    change: { file: 'core/outage.ts', from: '/^(08...|25006|25P0[34]|', to: '/^(08...|25P0[34]|' },
    caughtBy: { file: 'packages/server/test/storage/silence.test.ts', test: 'a database that takes no writes' },
  },
  {
    name: 'dead-database-stays-dead',
    promise: 'goes-on',
    mistake: 'A PostgreSQL of our own that has ended is not started again.',
    change: {
      file: 'local/embedded/supervise.ts',
      from: '        if (server.findPid() === null) await server.restart()\n',
      to: '        if (server.findPid() === undefined) await server.restart()\n',
    },
    caughtBy: {
      file: 'packages/server/test/embedded/supervise.test.ts',
      test: 'is started again when it ends',
    },
  },
  {
    name: 'unsigned-webhooks',
    promise: 'webhooks-arrive',
    mistake: 'What is sent to a partner’s receiver is signed over its body alone.',
    change: {
      file: 'domain/webhooks/sign.ts',
      from: "createHmac('sha256', key).update(text)",
      to: "createHmac('sha256', key).update(body)",
    },
    caughtBy: {
      file: 'packages/server/test/http/webhook-deliveries.test.ts',
      test: 'an event > arrives as it is listed',
      error: 'No matching signature found',
    },
  },
  {
    name: 'untried-webhook-is-overtaken',
    promise: 'webhooks-arrive',
    mistake: 'After a minute without a worker, events of a payout are sent together, and the later may arrive first.',
    change: {
      file: 'storage/webhook-deliveries.ts',
      from: 'and (b.attempts = 0 or b.next_try_at <= $4 or b.in_order_until > $4)',
      to: 'and (b.in_order_until > $4)',
    },
    caughtBy: {
      file: 'packages/server/test/http/webhook-deliveries.test.ts',
      test: 'what was never tried is waited for',
    },
  },
  {
    name: 'rolled-back-is-taken-for-done',
    promise: 'survives',
    mistake: 'A transaction that PostgreSQL has rolled back is answered as if it were kept.',
    change: {
      file: 'storage/database.ts',
      from: "    assert((await committed).command === 'COMMIT', 'a transaction whose statements all succeeded commits')\n",
      to: '    await committed\n',
    },
    caughtBy: {
      file: 'packages/server/test/storage/transactions.test.ts',
      test: 'does not succeed when its work overheard a failure',
    },
  },
  {
    name: 'limit-without-end',
    promise: 'polite-when-busy',
    mistake: 'A caller may ask as often as it likes.',
    change: {
      file: 'http/limits/rate-limit.ts',
      from: 'const isAllowed = used + cost <= this.#burst\n',
      to: 'const isAllowed = used + cost <= this.#burst * 1_000\n',
    },
    caughtBy: {
      file: 'packages/server/test/http/rate-limit.test.ts',
      test: 'create nothing: a payout beyond the limit moves no money',
    },
  },
]
