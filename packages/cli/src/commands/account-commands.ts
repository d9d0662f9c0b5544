// Who one is, and what the wallet holds.
import type { Command } from '../command.ts'

export const ACCOUNT_COMMANDS: readonly Command[] = [
  {
    name: 'login',
    summary: 'keep a key on this machine',
    about: [
      'Asks for the key without showing it, or reads it from stdin. It is kept only after the service has accepted it, in a file\nthat only you can read. A sandbox key and a live key can be kept beside each other; --live keeps and uses the live one.',
    ],
    examples: ['login --url https://payouts.example.com', 'login < key.txt'],
    load: () => import('./login.ts'),
  },
  { name: 'logout', summary: 'forget the key', load: () => import('./logout.ts') },
  { name: 'whoami', summary: 'account, environment and scopes of the key', load: () => import('./whoami.ts') },
  { name: 'balance', summary: 'what the wallet holds', load: () => import('./balance.ts') },
  {
    name: 'quote',
    summary: 'what a payout would cost now',
    args: [{ name: 'AMOUNT' }],
    examples: ['quote 25.00'],
    load: () => import('./quote.ts'),
  },
]
