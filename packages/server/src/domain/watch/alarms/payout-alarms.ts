// Alarms about payouts that do not go on by themselves, or that we cannot deal with.
import type { AlarmEntry } from './alarm-entry.ts'

export const PAYOUT_ALARMS = {
  'a payout is without an answer for longer than the bank remembers': {
    happened:
      'After 23 hours asking again could pay again, so the service only looks for the transfer from then on. Nothing fails by age alone. A suspended or closed partner’s payouts in doubt come here too: nothing is sent for them, they are only looked for.',
    money: 'It stays reserved until somebody says what became of the payout.',
    steps: [
      { say: 'Ask the bank about the reference, which is the payout’s id.' },
      { say: 'The bank has it', run: 'kestrel payout resolve ID --transfer REF --reason …' },
      {
        say: 'The bank paid it and cannot show it any more',
        run: 'kestrel payout resolve ID --completed --transfer REF --reason …',
      },
      { say: 'The bank never had it', run: 'kestrel payout release ID --reason …' },
    ],
  },

  'the bank’s wallet does not hold what our books say': {
    happened:
      'The bank refused a payment for want of funds that the ledger had reserved; or it refused a payout that it had left in doubt, does not list it, and its wallet lacks the money. Either way the two differ.',
    money:
      'Payouts that the bank refuses answer 502, and send nothing, until it is mended. The same key again answers 409 for an hour, or until the money is there. A payout in doubt stays `pending` and its money held: what is missing may have gone for it.',
    steps: [
      { say: 'See by how much they differ', run: 'kestrel reconcile' },
      { say: 'Look for a deposit that never arrived there, or a movement made by hand at the bank.' },
      {
        say: 'If the payout is `pending`, ask the bank for its transfer, which its list may leave out',
        run: 'kestrel payout resolve ID --transfer REF --reason …',
      },
      {
        say: 'Take the difference out of the books, or top the bank’s wallet up',
        run: 'kestrel wallet debit … --reference',
      },
    ],
  },

  'the bank refuses a partner’s payouts': {
    happened:
      'The bank refused a recipient or a payment and named neither the account nor any detail that the partner could mend: pounds are not endorsed for this customer, the customer is paused, or a field that we send is not taken. The alarm has the bank’s words.',
    money: 'Payouts of this partner answer 502 and send nothing until it is mended. No recipient is blamed for it.',
    steps: [
      { say: 'Look at the customer at the bank, with the words of the alarm, and ask the bank what is missing.' },
      { say: 'When it is mended the same request goes through: the partner repeats it with the same key.' },
    ],
  },

  'a payout waits for funds at the bank': {
    happened:
      'The bank has the order and could not draw the wallet for two minutes. The causes are those of the alarm above.',
    money: 'It is in `in_transit` here, and the bank has not drawn it yet.',
    steps: [
      {
        say: 'When the money is at the bank the payout goes by itself, and this shows it at once',
        run: 'kestrel payout refresh ID',
      },
      { say: 'Or cancel the transfer at the bank.' },
    ],
  },

  'a payout lacks money at the bank': {
    happened:
      'The rate moved between the order and the exchange by more than the bank’s share covers, so what the wallet sent no longer buys the pounds (`underfunded`). The alarm says how much is missing.',
    money:
      'What the wallet sent is with the bank, and in `in_transit` here. The partner pays no more than it was told: what is missing comes from your own wallet at the bank, or the payout is cancelled.',
    steps: [
      {
        say: 'Add what is missing from your own wallet at the bank, once, however often you say it',
        run: 'kestrel payout top-up ID',
      },
      { say: 'Or cancel the transfer at the bank. When it is cancelled', run: 'kestrel payout refresh ID' },
    ],
  },

  'a payout is in review at the bank for more than a day': {
    happened: 'The bank has the payout and has not decided whether to send it.',
    money: 'It is in `in_transit`: neither paid nor back.',
    steps: [{ say: 'Ask the bank what it needs to decide. When it has decided', run: 'kestrel payout refresh ID' }],
  },

  'a refund is not there after a day': {
    happened:
      'A payout ended and the bank has not said that its money is back. Some banks never say so of what they had not drawn.',
    money: 'It stays out of `available` until the bank says, or its wallet shows, that it is back.',
    steps: [
      {
        say: 'Ask the bank. If the money is in the bank’s wallet, say how the payout ended (or `--returned`, `--cancelled`); the command checks that, and gives the money back',
        run: 'kestrel payout resolve ID --failed --reason …',
      },
    ],
  },

  'a payout could not be asked about': {
    happened:
      'Its recipient cannot be opened, most likely because the process runs with another `KESTREL_SEAL_KEY` than the one that sealed it. The payout is tried again.',
    money: 'The payout and its money stay as they are.',
    steps: [
      { say: 'See how it stands', run: 'kestrel payout show ID' },
      { say: 'With the right key', run: 'kestrel payout refresh ID' },
    ],
  },

  'a payout’s recipient cannot be opened': {
    happened:
      'The worker could not mark the payout for the warnings about duplicates and changed accounts, so it does not count for those. Everything else goes on, and the payout is tried every ten minutes. It is told of once.',
    money: 'None is concerned.',
    steps: [
      {
        say: 'Find the key that sealed it. If there is none, the row was changed from outside: restore it from a backup.',
      },
    ],
  },

  'a payout could not be moved to the newest keys': {
    happened:
      'No key that the process has opens it, or its fingerprint is not that of its request. It stays as it is and needs its old key. The next start looks at it again.',
    money: 'None is concerned.',
    steps: [
      { say: 'See how many rows need which key', run: 'kestrel secrets status' },
      { say: 'Find that key. If there is none, the row was changed from outside: restore it from a backup.' },
    ],
  },

  'the rail threw': {
    happened: 'A bug in the adapter or an answer of a new kind.',
    money: 'It stays reserved: the payout is `pending` and is followed as any other.',
    steps: [{ say: 'Ask the bank at once', run: 'kestrel payout refresh ID' }],
  },
} as const satisfies Record<string, AlarmEntry>
