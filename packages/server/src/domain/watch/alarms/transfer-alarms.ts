// Alarms about what the bank says of transfers: it has one that we do not expect, or says what does not fit.
import type { AlarmEntry } from './alarm-entry.ts'

export const TRANSFER_ALARMS = {
  'the bank has a transfer that we do not': {
    happened:
      'The bank lists a transfer in the name of one of our partners with a reference that no payout has, with none, or in the name of a customer whom we do not know. Somebody used the account outside this service, or a database was restored to an earlier moment; then the payout’s intent is in the backup’s write-ahead log.',
    money: 'The bank’s wallet may hold less than our books say.',
    steps: [
      { say: 'See which transfer it is, and by how much the wallet differs', run: 'kestrel reconcile' },
      {
        say: 'If it bears no reference, and a payout in doubt of that wallet has the same amounts, ask the bank whom it pays. If it is that payout’s',
        run: 'kestrel payout resolve ID --transfer REF --reason …',
      },
      {
        say: 'When it is certain that the money has left, take it out of the books; under this reference reconciliation takes it as answered',
        run: 'kestrel wallet debit … --reference transfer:REF',
      },
    ],
  },

  'the bank has a transfer for a payout that was given up': {
    happened:
      'We told the partner that nothing was sent, and the bank has it after all. The proof that we relied on was wrong.',
    money: 'The wallet was given back money that the bank may have sent.',
    steps: [
      { say: 'See what became of the payout here, and what the bank says of it', run: 'kestrel payout show ID' },
      {
        say: 'If it has that transfer by now, the partner has repeated the request: nothing more was sent, and the books are right again. Otherwise ask the bank to cancel the transfer.',
      },
      {
        say: 'If the transfer has gone through, tell the partner, and take the money out of the books',
        run: 'kestrel wallet debit … --reference payout:ID',
      },
      {
        say: 'That answers one transfer. Each further one has an alarm of its own, and is taken out under its own reference',
        run: 'kestrel wallet debit … --reference transfer:REF',
      },
      {
        say: 'From then on the key is closed: a repeated request gets 422 `idempotency_key_reused`, and nothing is sent. If the partner was quicker, the debit is refused: it would take the money twice.',
      },
    ],
  },

  'the bank could not refund a payout': {
    happened: 'The money came back to the bank and not to the wallet.',
    money:
      'The payout stays `failed`, `cancelled` or `returned`, and its money stays out of `available` until it is really back.',
    steps: [
      { say: 'Write to the bank with the transfer’s id, which this shows', run: 'kestrel payout show ID' },
      { say: 'When the money is back', run: 'kestrel payout refresh ID' },
      {
        say: 'If the bank put it back by hand, its transfer does not say so and its wallet does. Say how the payout ended (or `--failed`, `--cancelled`)',
        run: 'kestrel payout resolve ID --returned --reason …',
      },
      {
        say: 'That command reads the bank’s lists first, and refuses while anything else could explain the money: another refund, a payout that waits for funds, a deposit that cannot be credited or was left out, or another amount.',
      },
      {
        say: 'Where the bank kept a part, take that out before',
        run: 'kestrel wallet debit … --reference difference:ID',
      },
    ],
  },

  'the bank leaves over of a payout what cannot be': {
    happened:
      'The bank’s receipt says that more was left over of a payout than was sent for it, or an amount that is none: below zero, too large, not in dollars. The alarm has what it says.',
    money:
      'Nothing of it is booked. The payout is followed as any other, and the partner is not concerned: what is left over is yours.',
    steps: [
      {
        say: 'See what was booked, and ask the bank what it has put into your own wallet',
        run: 'kestrel payout show ID',
      },
      {
        say: 'When the bank has put its receipt right, it is booked by itself, and this finds nothing',
        run: 'kestrel reconcile',
      },
    ],
  },

  'the bank took another amount than we reserved': {
    happened: 'The bank drew more or less from its wallet than the payout’s quote said.',
    money:
      'The wallet already follows the bank, the difference is in `fx_diff`, and the partner sees a correction on its statement. What the wallet could not bear is owed in `suspense`, and whatever comes into the wallet makes that good first. An amount that cannot be true, below three quarters of what was reserved or above twice as much, is not followed: `kestrel reconcile` names it as `sent_amount_differs` until the bank has put it right.',
    steps: [
      { say: 'See both amounts, and ask the bank why they differ', run: 'kestrel payout show ID' },
      {
        say: 'What the bank gives back as a deposit is credited by itself. What it puts right in its wallet alone goes in by hand; in the sandbox this gives both',
        run: 'kestrel wallet credit … --reference',
      },
    ],
  },

  'the bank gave back another amount than it took': {
    happened:
      'The history of the bank’s wallet shows more or less than the bank had taken for a payout that failed or came back: the bank exchanges twice, and the surplus may have gone to your own wallet.',
    money:
      'The partner has back what its wallet sent, whole, because nothing is charged for what did not go. The difference is yours, in `refund_diff`: until you put as much into the bank’s wallet, it holds that much less than the partner can spend.',
    steps: [
      { say: 'See what was sent, what came back and what was left over', run: 'kestrel payout show ID' },
      {
        say: 'Move what is missing from your own wallet into the partner’s, at the bank, and note both',
        run: 'kestrel payout made-good ID --reason …',
      },
    ],
  },

  'a refund is not in the bank’s wallet': {
    happened:
      'The bank said a day ago that a payout is refunded, and the history of its wallet does not show which payment that was: there is none, or it is another amount by more than a tenth, or there are more than the refunds explain.',
    money: 'The partner has back what its wallet sent. The bank’s wallet may hold less than the partner can spend.',
    steps: [
      { say: 'See by how much the wallet differs, and ask the bank', run: 'kestrel reconcile' },
      { say: 'Say what came back, 0.00 if nothing', run: 'kestrel payout came-back ID --usdc … --reason …' },
    ],
  },

  'the bank asks for a network fee that cannot be': {
    happened:
      'The bank’s receipt puts the network’s fee of a payout above the whole payout. The alarm has what it says, in pounds.',
    money:
      'The payout is followed as any other. Its partner is billed what the plan says: a receipt that cannot be true is not believed.',
    steps: [
      { say: 'See what the bank took, and ask it to put its receipt right', run: 'kestrel payout show ID' },
      { say: 'What the bank took is compared by this, and is right if it finds nothing', run: 'kestrel reconcile' },
      { say: 'Then say that it is dealt with', run: 'kestrel alarms close ID' },
    ],
  },

  'the bank pays another recipient than we asked for': {
    happened:
      'The bank has confirmed a payout to another external account than the one that was asked for. It may have mixed up two requests, or answered with an account that it has replaced since.',
    money: 'The payout is followed as any other. If the bank is right, somebody else is paid with the partner’s money.',
    steps: [
      {
        say: 'Call the bank with the transfer’s id, have it stopped, and ask whose account it is. If it is the recipient’s own, nothing is to be done',
        run: 'kestrel payout show ID',
      },
      { say: 'If it is not, stop live payouts until the bank has found out why.' },
    ],
  },

  'the bank pays another amount than we asked for': {
    happened: 'The recipient gets more or less than the partner said.',
    money: 'Nothing here was changed.',
    steps: [{ say: 'Ask the bank. This reports the payout until the bank has put it right', run: 'kestrel reconcile' }],
  },

  'the bank has another transfer under a payout’s reference': {
    happened:
      'The payout keeps the transfer that it had, or gets the one that still has the money, and never another customer’s.',
    money: 'The other transfer changed nothing here, but the bank’s wallet may have paid for both.',
    steps: [
      { say: 'Stop live payouts, call the bank and have the other transfer undone.' },
      {
        say: 'If the bank has paid both, take the second one out of the books',
        run: 'kestrel wallet debit … --reference transfer:REF',
      },
    ],
  },

  'the bank gives a payout’s transfer another reference': {
    happened:
      'The bank shows the transfer of one payout with the reference of another, or with one that no payout has. Nobody can tell which of the two its news is about. The log line has both.',
    money:
      'Neither payout is changed by it, and both are followed: once the bank shows the right reference, or none, its news counts.',
    steps: [
      { say: 'See what both are here, and what the bank says', run: 'kestrel payout show ID' },
      { say: 'Ask the bank whom the transfer pays, and to put its reference right.' },
      {
        say: 'If the bank cannot, and says how the transfer ended, say so (or `--failed`, `--returned`, `--cancelled`, which want the money to be in the bank’s wallet)',
        run: 'kestrel payout resolve ID --completed --reason …',
      },
    ],
  },

  'the bank gives a reason that we do not know': {
    happened:
      'Payouts failed or were sent back with a code that this program does not know, or with no code at all (`none`). The alarm names the code and counts the payouts, as `kestrel_bank_reasons_unknown` does; the log names each payout.',
    money: 'It is where it belongs. The partner sees `failure_code` `other`, and that trying again does not help.',
    steps: [
      { say: 'See what the bank says of one of them', run: 'kestrel payout show ID' },
      { say: 'Ask the bank what the code means, and have it added to the reasons that the program knows.' },
      { say: 'Then say that it is dealt with', run: 'kestrel alarms close ID' },
    ],
  },

  'the bank has a state that we do not know': {
    happened: 'The bank uses a word for a transfer’s state that this program does not know. The log line has the word.',
    money: 'The payout and its money stay as they are, and the payout is followed.',
    steps: [
      { say: 'Ask the bank what the word means.' },
      {
        say: 'If it is an end, say which (or `--failed`, `--returned`, `--cancelled`, which want the money to be in the bank’s wallet)',
        run: 'kestrel payout resolve ID --completed --reason …',
      },
    ],
  },

  'the bank contradicts what it said of a payout': {
    happened:
      'The payout is on its way again, or has arrived, after it had arrived or ended; or it is called cancelled after it was handed over; or it comes back although a person had completed it again.',
    money:
      'Nothing was changed, except that a return is followed as any other and needs no hand. While the refund is `due`, nothing was given back and there is nothing to take out: a debit would take it twice. Until it is resolved, `resolve --returned` of other payouts of the wallet is refused, because nobody could tell whose money came back.',
    steps: [
      {
        say: 'Ask the bank which is true, and see whether the refund is `due` or `done`',
        run: 'kestrel payout show ID',
      },
      {
        say: 'If the bank stands by the payment and the refund is `due`, complete it. The bank’s list and the transfer itself have to say that it was paid, in two looks, and for an hour not in older words than those of its end; and the bank’s wallet may hold no more than our books say, beyond what other refunds account for. In live a mail tells the admins, who may have paid again. Said twice, or by two at once, it is done once',
        run: 'kestrel payout resolve ID --completed --reason …',
      },
      {
        say: 'If the bank stands by the payment and the refund is `done`, it stays as it ended. Once the money has left, take it out of the books',
        run: 'kestrel wallet debit … --reference payout:ID',
      },
    ],
  },

  'a transfer cannot be read': {
    happened:
      'A row of the bank’s list makes no sense to us (a word is missing or cannot be kept, an amount is no money, a moment cannot be); the log line says what, and the payout if it names one. Where the list cannot even be read past a place, `changed-at-…` names the second that it was read around. It is tried again by itself.',
    money:
      'Its payout stays as it is. No other row waits for it, but a payout in doubt is not given up while a row does not say whose it is.',
    steps: [
      { say: 'See how many rows wait', run: 'kestrel bank feeds' },
      {
        say: 'Write to the bank with the transfer’s id. When it is mended, read it anew',
        run: 'kestrel payout refresh ID',
      },
    ],
  },

  'a transfer’s news could not be written down': {
    happened: 'The bank has news of a transfer, and our database refused to write it down; the log line says why.',
    money: 'Its payout stays as it is until a try succeeds.',
    steps: [
      { say: 'See how it stands, and mend what the log line says', run: 'kestrel payout show ID' },
      { say: 'Then read it anew', run: 'kestrel payout refresh ID' },
    ],
  },

  'the bank has named something that it does not show': {
    happened:
      'A signed message named a deposit or a transfer, and for a day the bank has shown nothing under that id, or reading it back has failed; then the log line says why.',
    money: 'Nothing was changed. If it was a deposit, a top-up may be missing from the wallet.',
    steps: [
      {
        say: 'Ask the bank about it. When it is there, read the list again from before its day',
        run: 'kestrel bank rewind …',
      },
    ],
  },

  'a message of the bank cannot be read': {
    happened:
      'A message is signed by the bank, and a word of it is missing, too long or cannot be kept; the log line says which. It is answered 422, told of once, and not looked at again.',
    money:
      'Nothing is lost: what it was about is in the bank’s lists, which are read every few seconds, and verifications are asked about.',
    steps: [
      { say: 'See how far the lists were read, and that nothing waits', run: 'kestrel bank feeds' },
      { say: 'Write to the bank.' },
    ],
  },
} as const satisfies Record<string, AlarmEntry>
