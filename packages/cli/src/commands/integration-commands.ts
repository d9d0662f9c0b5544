// What one needs while building: endings, events, logs, and help.
import type { Command } from '../command.ts'
import { EVENT_TYPES } from '../event-types.ts'

const REASONS = [
  'account_not_found',
  'account_closed',
  'account_blocked',
  'account_moved',
  'account_holder_deceased',
  'currency_not_accepted',
  'name_mismatch',
  'reference_needed',
  'refused_by_recipient',
  'rejected_by_bank',
  'other',
]
const REASON = { name: 'reason', value: 'CODE', summary: 'with fail and return: the failure_code', choices: REASONS }

const TRIGGERS = [
  ...['created', 'pending', 'processing', 'completed', 'failed', 'cancelled', 'returned', 'refunded'].map(
    (word) => `payout.${word}`,
  ),
  'deposit.received',
]

const LISTEN: Command = {
  name: 'listen',
  summary: 'events as they happen, passed on to your receiver',
  options: [
    { name: 'forward-to', value: 'URL', summary: 'where each event is posted, such as http://localhost:4400/' },
    { name: 'events', value: 'TYPES', summary: 'only these types: several with commas', choices: EVENT_TYPES },
    { name: 'tries', value: 'COUNT', summary: 'how often an event is tried before it gives up: 8 by default' },
    { name: 'skip-failed', summary: 'go on with the next event after the last try' },
    { name: 'from-now', summary: 'leave out what has happened since it listened last' },
    { name: 'from-oldest', summary: 'begin with the oldest event that is kept' },
    { name: 'after', value: 'EVENT', summary: 'go on after this event' },
    { name: 'print-secret', summary: 'print the secret that requests are signed with, and end' },
  ],
  about: [
    'It needs no address that can be reached from outside: it reads the stream of events and posts each to your receiver, signed\nas a Standard Webhook with a secret of this machine. An event is passed on when the receiver answered 2xx. The place is kept\nin a file: the next start goes on after it, and nothing is lost while this program or the service was away. A receiver may\nget an event twice; the header webhook-id is the same then.',
    'Without --forward-to it prints the events.',
  ],
  examples: ['listen --forward-to http://localhost:4400/', 'listen --events payout.failed,payout.returned'],
  load: () => import('./listen.ts'),
}

export const INTEGRATION_COMMANDS: readonly Command[] = [
  {
    name: 'simulate',
    summary: 'choose how a sandbox payout ends',
    args: [{ name: 'ID' }, { name: 'OUTCOME', choices: ['settle', 'return', 'fail', 'cancel'] }],
    options: [REASON],
    load: () => import('./simulate.ts'),
  },
  {
    name: 'trigger',
    summary: 'make an event happen in sandbox',
    args: [{ name: 'EVENT', choices: TRIGGERS }],
    options: [
      REASON,
      { name: 'amount', value: 'AMOUNT', summary: '25.00 by default' },
      { name: 'idempotency-key', value: 'KEY', summary: 'to repeat one whose answer never came' },
      { name: 'timeout', value: 'SECONDS', summary: 'how long to wait for the event: 60 by default' },
    ],
    about: ['It makes a real sandbox payout that ends so: the event is a true one, and goes wherever your events go.'],
    examples: ['trigger payout.returned --reason account_closed'],
    load: () => import('./trigger.ts'),
  },
  LISTEN,
  {
    name: 'events list',
    summary: 'events, the newest first',
    options: [
      { name: 'type', value: 'TYPES', summary: 'only these types: several with commas' },
      { name: 'subject', value: 'ID', summary: 'about this payout, or whatever has this id' },
      { name: 'after', value: 'EVENT', summary: 'what came after this event, the oldest first' },
      { name: 'limit', value: 'COUNT', summary: 'how many at most: 20 by default' },
    ],
    load: async () => ({ run: (await import('./events.ts')).list }),
  },
  {
    name: 'events resend',
    summary: 'send an event again to your webhook endpoints',
    args: [{ name: 'EVENT' }],
    options: [{ name: 'endpoint', value: 'ID', summary: 'only to this one' }],
    load: async () => ({ run: (await import('./events.ts')).resend }),
  },
  {
    name: 'logs tail',
    summary: 'requests on the account, as they come in',
    options: [
      { name: 'limit', value: 'COUNT', summary: 'how many of the latest to begin with: 20 by default' },
      { name: 'failed', summary: 'only what was refused' },
      { name: 'changes', summary: 'without requests that only read' },
      { name: 'once', summary: 'end after the latest' },
    ],
    load: () => import('./logs.ts'),
  },
  {
    name: 'docs',
    summary: 'what an error code means, and whether money moved',
    args: [{ name: 'CODE', isOptional: true }],
    examples: ['docs insufficient_funds'],
    load: () => import('./docs.ts'),
  },
  {
    name: 'completion',
    summary: 'a script with which your shell completes commands',
    args: [{ name: 'SHELL', choices: ['bash', 'zsh', 'fish'] }],
    load: () => import('./completion.ts'),
  },
  {
    name: 'doctor',
    summary: 'whether this machine, the key and the service fit together',
    load: () => import('./doctor.ts'),
  },
]
