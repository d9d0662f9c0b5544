import type { Mutant } from './mutant.ts'

export const LASTING: readonly Mutant[] = [
  {
    name: 'lost-payouts-are-silent',
    promise: 'restores',
    mistake: 'A transfer at the bank that nobody here knows of is no difference between the books.',
    change: {
      file: 'domain/banking/reconcile/compare-books.ts',
      from: 'payout === undefined ? unknownHere(transfer) : comparePair',
      to: 'payout === undefined ? [] : comparePair',
    },
    caughtBy: {
      file: 'packages/server/src/domain/banking/reconcile/compare-books.test.ts',
      test: 'is a transfer that we do not have',
    },
  },
  {
    name: 'newer-database-is-used',
    promise: 'upgrades',
    mistake: 'A program of an older version works on a database that a newer one has changed.',
    change: {
      file: 'storage/migrate.ts',
      from: '[...done].find((name) => !files.includes(name))',
      to: '[...done].find(() => false)',
    },
    caughtBy: {
      file: 'packages/server/test/storage/migrations.test.ts',
      test: 'are refused on a database that a newer program has used',
    },
  },
  {
    name: 'changed-entry-passes',
    promise: 'tamper-evident',
    mistake: 'An entry of the audit log is not compared with the hash that its chain has of it.',
    change: {
      file: 'domain/audit/verify-chain.ts',
      from: "  if (link.isThere && !entryHash(link).equals(link.entryHash)) return 'this entry was changed'\n",
      to: '',
    },
    caughtBy: {
      file: 'packages/server/test/audit/chain.test.ts',
      test: 'a log that somebody has changed past the service > changed: it is found',
    },
  },
  {
    name: 'any-signature-will-do',
    promise: 'tamper-evident',
    mistake: 'A receipt is believed whoever has signed its link.',
    change: {
      file: 'domain/payouts/read/check-receipt.ts',
      from: 'if (!(await isSignedByUs(deps, keyId, { text: signed, signature }))) throw notOurs()',
      to: 'await isSignedByUs(deps, keyId, { text: signed, signature })',
    },
    caughtBy: {
      file: 'packages/server/test/http/receipts.test.ts',
      test: 'is every link with one bit changed',
    },
  },
]
