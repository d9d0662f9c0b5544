import { type ServicePromise, inTests } from './promise.ts'

export const PAYING: readonly ServicePromise[] = [
  {
    id: 'paid-once',
    says: 'A recipient is never paid twice for one Idempotency-Key, whatever crashes, hangs or lies.',
    proofs: [
      inTests('process/kill'),
      inTests('races/crash-matrix'),
      inTests('process/two-of-each'),
      inTests('process/kill-after-refusal'),
      inTests('bank/failure-matrix'),
      inTests('bank/leases'),
      inTests('bank/late-worker'),
      inTests('bank/refused-in-doubt'),
      inTests('bank/refused-and-made'),
      inTests('bank/silence'),
      inTests('races/fencing'),
      inTests('races/record-as-read'),
    ],
  },
  {
    id: 'one-key-one-payout',
    says: 'However many requests come at once with one key, over however many processes, one payout is made and all hear of it.',
    proofs: [
      inTests('races/same-key-twice'),
      inTests('process/same-key-storm', { long: { STORM_KEYS: '200', STORM_TIMES: '100' } }),
      inTests('storage/payout-guards', { tests: 'an Idempotency-Key' }),
    ],
  },
  {
    id: 'no-hidden-payment',
    says: '502 means that the bank has nothing and will have nothing; in any other doubt the payout is there, and its money is held.',
    proofs: [
      inTests('bank/failure-matrix'),
      inTests('bank/broken-connections'),
      inTests('bank/busy-bank'),
      inTests('bank/exchange'),
      inTests('http/payouts.create.idempotency', { tests: 'while the first request is still under way' }),
    ],
  },
  {
    id: 'any-order',
    says: 'Whatever is done in whatever order, with processes that die and a bank that fails, a model of keys and sums agrees with both books.',
    proofs: [
      inTests('bank/any-sequence', { long: { SEQUENCES: '1000' } }),
      inTests('storage/book-checks', { tests: 'whatever the bank reports' }),
      inTests('bank/leases', { tests: 'two services that do everything at once' }),
    ],
  },
  {
    id: 'simulation',
    says: 'Whatever partners, bank, network and dying processes do at once: one ending per payout, one transfer at most, and no cent astray.',
    proofs: [inTests('simulation/simulation', { long: { SEEDS: '3000' } })],
  },
  {
    id: 'survives',
    says: 'A payout that was answered is still there when the database, the program or the connection between them dies.',
    proofs: [
      inTests('process/database-dies'),
      inTests('process/shutdown'),
      inTests('storage/outage'),
      inTests('storage/transactions'),
      inTests('http/errors.server'),
    ],
    besides: [
      '20 failovers of a real cluster (three servers with Patroni, synchronous; killed, switched over, cut off): 6,137 payouts acknowledged, 6,137 at the bank, none lost, none paid twice; first 201 after 26.3 s in the median, 41.3 s at the longest (`npm run failover -- --times 20 --seed 20261117`, [failover.md](failover.md), 2026-11-17)',
    ],
  },
  {
    id: 'never-overdrawn',
    says: 'A wallet never pays more than it has: what is held is not there to be spent, and limits hold for requests that come at once.',
    proofs: [
      inTests('races/wallet-spent-twice'),
      inTests('races/sent-at-once'),
      inTests('races/wallets-together'),
      inTests('races/key-caps'),
      inTests('races/member-caps'),
      inTests('process/limit-kill'),
      inTests('storage/reserve-new-payouts'),
      inTests('storage/ledger-guards', { tests: 'a balance' }),
      inTests('bank/failure-matrix'),
    ],
  },
  {
    id: 'replays',
    says: 'The same key with the same request answers with the payout as it is now, for ever; with another request it is refused.',
    proofs: [inTests('http/payouts.create.idempotency'), inTests('races/bad-neighbour')],
  },
  {
    id: 'webhooks-arrive',
    says: 'Every change reaches every receiver that takes it: at least once, signed, and in order for each payout.',
    proofs: [
      inTests('process/webhook-storm', { long: { STORM_PAYOUTS: '2000' } }),
      inTests('http/webhook-deliveries'),
      inTests('process/stream-kill'),
    ],
  },
]
