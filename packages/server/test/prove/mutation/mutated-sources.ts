// The rules of money that are pure, each with the tests that need no database. Paths are from packages/server/src.
export interface MutatedSource {
  readonly file: string
  readonly tests: readonly string[]
}

const RECORD = [
  'decide-outcome',
  'decide-outcome-matrix',
  'undo-ending',
  'amount-taken',
  'taken-from-wallet',
  'payout-entries',
  'in-doubt',
  'failure-reasons',
  'next-check',
].map((name) => `domain/payouts/record/${name}`)
const PAYOUTS = ['domain/payouts/states', 'domain/payouts/progress', ...RECORD]
const RECONCILE = 'domain/banking/reconcile'
const REFUNDS = 'domain/banking/refunds'

const itsOwn = (...files: string[]): MutatedSource[] => files.map((file) => ({ file, tests: [file] }))
const of = (tests: readonly string[], ...files: string[]): MutatedSource[] => files.map((file) => ({ file, tests }))

export const MUTATED_SOURCES: readonly MutatedSource[] = [
  ...of(['core/money', 'rail/provider/decimal-amounts'], 'core/money'),
  ...itsOwn('core/rounding', 'core/rate', 'core/plan', 'domain/quotes/fee', 'domain/quotes/quote'),
  ...of(PAYOUTS, 'domain/payouts/states', 'domain/payouts/progress'),
  ...of(
    PAYOUTS,
    ...['decide-outcome', 'undo-ending', 'amount-taken', 'taken-from-wallet', 'payout-entries', 'in-doubt'].map(
      (name) => `domain/payouts/record/${name}`,
    ),
  ),
  ...itsOwn('domain/payouts/create/decide-reservations'),
  ...of(['domain/charges/payout-charges'], 'domain/charges/payout-charges', 'domain/charges/cost-plus'),
  ...of([`${RECONCILE}/compare-books`, `${RECONCILE}/compare-books.words`], `${RECONCILE}/compare-books`),
  ...itsOwn(`${RECONCILE}/accounted-for`),
  ...of([`${REFUNDS}/match-refunds`, `${REFUNDS}/only-sum`], `${REFUNDS}/match-refunds`, `${REFUNDS}/only-sum`),
]
