import { type ServicePromise, inSources, inTests } from './promise.ts'

export const LASTING: readonly ServicePromise[] = [
  {
    id: 'restores',
    says: 'A database that is restored to any moment has right books, and what was paid after that moment is found again at the bank and named.',
    proofs: [
      inTests('process/restore'),
      inTests('bank/reconciliation'),
      inSources('domain/banking/reconcile/compare-books', { tests: 'one without the other' }),
    ],
  },
  {
    id: 'upgrades',
    says: 'A new version takes over while payouts flow: nobody is answered with a 5xx, and nothing is lost, paid twice or locked for long.',
    proofs: [
      inTests('process/rolling-upgrade'),
      inTests('storage/migrating-beside-work'),
      inTests('storage/migrations'),
    ],
  },
  {
    id: 'tamper-evident',
    says: 'Whoever changes, removes or adds what happened, even past the service, is found by anybody with a signed head; no receipt can be forged.',
    proofs: [
      inTests('audit/chain'),
      inTests('http/activity.chain'),
      inTests('billing/invoice-heads'),
      inTests('http/receipts'),
    ],
  },
]
