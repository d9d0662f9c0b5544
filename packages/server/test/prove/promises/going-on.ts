import { type ServicePromise, inTests } from './promise.ts'

export const GOING_ON: readonly ServicePromise[] = [
  {
    id: 'goes-on',
    says: 'When the bank or the database is back, the service goes on by itself, and no payout stays in doubt that could be known.',
    proofs: [
      inTests('storage/silence'),
      inTests('storage/outage'),
      inTests('storage/connections'),
      inTests('embedded/supervise'),
      inTests('bank/refused-in-doubt'),
    ],
  },
  {
    id: 'somebody-is-told',
    says: 'What a person has to decide is told to one, once, with a procedure that works.',
    proofs: [inTests('bank/runbook'), inTests('bank/bank-news'), inTests('storage/alarms')],
  },
  {
    id: 'polite-when-busy',
    says: 'A caller that asks too much is told when to come back, keeps nobody else waiting, and a stop cuts no answer off.',
    proofs: [
      inTests('http/rate-limit'),
      inTests('http/network-limit'),
      inTests('http/business-limit'),
      inTests('races/heavy-reads'),
      inTests('process/shutdown'),
    ],
  },
]
