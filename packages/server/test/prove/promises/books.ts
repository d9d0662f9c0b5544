import { type ServicePromise, inSources, inTests } from './promise.ts'

export const BOOKS: readonly ServicePromise[] = [
  {
    id: 'books-balance',
    says: 'The ledger sums to zero after any crash, balances are the sum of their entries, and no entry can be changed.',
    proofs: [
      inTests('storage/ledger-guards'),
      inTests('storage/book-checks'),
      inTests('billing/charges', { tests: 'a charge and what it is for' }),
      inTests('storage/privileges'),
    ],
  },
  {
    id: 'books-agree',
    says: 'Our books and the bank’s agree to the millionth of a dollar, and a difference of one unit is found and named.',
    proofs: [inTests('bank/reconciliation'), inTests('bank/bank-news'), inTests('bank/worst-day')],
  },
  {
    id: 'top-ups-once',
    says: 'Money that arrives is credited once, however late, how often and by whichever way the bank tells of it.',
    proofs: [
      inTests('bank/feeds'),
      inTests('bank/deposits'),
      inTests('bank/hostile-rows'),
      inTests('process/money-kill'),
      inTests('bank/refused-and-made', { tests: 'the operator who pays for it by hand' }),
    ],
  },
  {
    id: 'bank-messages',
    says: 'Only the bank’s own messages are believed, each has its effect at most once, and none is needed.',
    proofs: [
      inTests('bank/forged-webhooks'),
      inTests('bank/webhooks'),
      inTests('bank/event-order'),
      inTests('bank/feeds', { tests: 'message' }),
    ],
  },
  {
    id: 'legal-moves',
    says: 'A payout moves only as the table of statuses allows, and money that comes back is in the wallet exactly once.',
    proofs: [
      inTests('storage/payout-guards'),
      inSources('domain/payouts/states'),
      inTests('races/settle-once'),
      inTests('races/told-to-end'),
      inTests('races/foretold-ends'),
      inTests('bank/bank-news'),
      inTests('bank/paid-after-all'),
      inTests('process/return-kill'),
    ],
  },
  {
    id: 'billed-once',
    says: 'Each completed live payout stands on exactly one invoice, that of its month in London; sandbox is never billed.',
    proofs: [
      inTests('billing/charges'),
      inTests('billing/invoicing'),
      inTests('billing/months'),
      inTests('process/month-end'),
      inTests('process/invoice-kill'),
      inTests('process/close-kill'),
      inSources('core/london-month'),
    ],
  },
  {
    id: 'exact',
    says: 'Amounts are whole pence and millionths of a dollar: every legal amount has its exact fee, and the wallet never sends too little.',
    proofs: [
      inSources('core/money'),
      inSources('core/rate'),
      inSources('core/rounding'),
      inSources('domain/quotes/fee'),
      inSources('domain/quotes/quote'),
      inTests('http/keys.kept-holders'),
    ],
  },
]
