// Paying, and what became of it.
import type { Command, Option } from '../command.ts'

const TIMEOUT: Option = { name: 'timeout', value: 'SECONDS', summary: 'how long to wait: 120 by default' }
const STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled', 'returned']

const PAY: Command = {
  name: 'pay',
  summary: 'pay somebody',
  args: [{ name: 'AMOUNT' }],
  options: [
    { name: 'idempotency-key', value: 'KEY', summary: 'your name for this payout, such as order-1042' },
    { name: 'recipient', value: 'FILE', summary: 'who is paid, as JSON; - reads it from stdin' },
    { name: 'reference', value: 'TEXT', summary: 'your own words; sandbox:return and the like choose an ending' },
    { name: 'max-usdc', value: 'USDC', summary: 'refuse if the wallet would send more than this' },
    { name: 'watch', summary: 'wait until it has ended' },
    TIMEOUT,
    { name: 'confirm-amount', value: 'AMOUNT', summary: 'with --live where nobody can be asked: the amount again' },
  ],
  about: [
    'The same idempotency key never pays twice. On a terminal you may leave it out: one is made, kept on disk before anything is\nsent, and used again if you repeat a command whose answer you never saw. Programs have to name theirs.',
    'In sandbox the recipient may be left out. A payout that ends without reaching the recipient exits with 1.',
  ],
  examples: [
    'pay 25.00 --idempotency-key order-1042 --watch',
    'pay 25.00 --idempotency-key order-1043 --reference sandbox:return --watch',
    'pay 25.00 --idempotency-key order-1044 --recipient amara.json --live --confirm-amount 25.00',
  ],
  load: () => import('./pay.ts'),
}

export const PAYOUT_COMMANDS: readonly Command[] = [
  PAY,
  {
    name: 'payouts list',
    summary: 'payouts, the newest first',
    options: [
      { name: 'status', value: 'STATUS', summary: 'only these: several with commas', choices: STATUSES },
      { name: 'search', value: 'TEXT', summary: 'a name, a reference, an amount, four digits, the start of an id' },
      { name: 'reference', value: 'TEXT', summary: 'exactly this reference' },
      { name: 'idempotency-key', value: 'KEY', summary: 'the one made with this key' },
      { name: 'failure-code', value: 'CODE', summary: 'those that failed for this reason' },
      { name: 'from', value: 'TIME', summary: 'created at or after this moment' },
      { name: 'to', value: 'TIME', summary: 'created before this moment' },
      { name: 'limit', value: 'COUNT', summary: 'how many at most: 20 by default' },
    ],
    examples: ['payouts list --status failed,returned'],
    load: async () => ({ run: (await import('./payouts.ts')).list }),
  },
  {
    name: 'payouts get',
    summary: 'one payout',
    args: [{ name: 'ID' }],
    load: async () => ({ run: (await import('./payouts.ts')).get }),
  },
  {
    name: 'payouts cancel',
    summary: 'stop a payout that the bank has not sent yet',
    args: [{ name: 'ID' }],
    load: async () => ({ run: (await import('./payouts.ts')).cancel }),
  },
  {
    name: 'payouts watch',
    summary: 'follow a payout to its end',
    args: [{ name: 'ID' }],
    options: [TIMEOUT],
    load: async () => ({ run: (await import('./payouts.ts')).follow }),
  },
]
