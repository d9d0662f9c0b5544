// Alarms about deposits and closed businesses, the comparison of the books, invoices and mail.
import type { AlarmEntry } from './alarm-entry.ts'

export const OTHER_ALARMS = {
  'a deposit is for nobody we know': {
    happened: 'Money arrived for a customer of the bank that no wallet here belongs to.',
    money: 'Nobody was credited. When its customer is connected to a wallet here, it is credited by itself.',
    steps: [
      { say: 'Find out whose it is before anybody gets it. This counts it as waiting', run: 'kestrel bank feeds' },
    ],
  },

  'a deposit at the bank cannot be read': {
    happened:
      'A row of the bank’s list has an amount, a currency, an owner or an id that makes no sense to us; the log line says what. It is tried again by itself, less and less often.',
    money:
      'It is not credited yet; nobody else’s top-up waits for it. Do not credit it by hand: it would be there twice.',
    steps: [
      {
        say: 'Write to the bank with the deposit’s id. When it is mended, read the list again from before its day',
        run: 'kestrel bank rewind …',
      },
      { say: 'See that nothing waits any more', run: 'kestrel bank feeds' },
    ],
  },

  'a deposit could not be credited': {
    happened:
      'The bank has it, we know whose it is, and our database refused to write it down, or the bank’s whole list could not be read for an hour, which has to be done once after an upgrade; the log line says why. It is tried again by itself.',
    money: 'The partner’s top-up is at the bank and not yet in the wallet.',
    steps: [{ say: 'Mend what the log line says. This hurries the next try', run: 'kestrel bank rewind …' }],
  },

  'a deposit was left out': {
    happened:
      'The bank lists a deposit that was brought by the same transaction on chain as one that is credited, or shows one as arrived that it had undone before. The alarm says which.',
    money:
      'It is not credited, and never by itself. If it is one deposit under two ids, the books are right. If it is a second payment in one transaction, or the bank has the money after all, the bank’s wallet holds that much more than our books say.',
    steps: [
      {
        say: 'See whether the bank’s wallet holds more than our books say. If not, nothing is to be done',
        run: 'kestrel reconcile',
      },
      {
        say: 'If it holds exactly this deposit more, put that in; in the sandbox this gives both',
        run: 'kestrel wallet credit … --reference deposit:REF',
      },
    ],
  },

  'the bank has changed a deposit that was credited': {
    happened:
      'The bank shows another amount, owner or list for a deposit that is in a wallet here, says that it was sent back, shows it as arrived after that, or names for it the transaction of another deposit that is credited too. The log line has what it says now.',
    money: 'Nothing was changed here: the wallet keeps what it was credited with, and the partner may have spent it.',
    steps: [
      { say: 'See by how much the wallet differs from the bank’s, and ask the bank why', run: 'kestrel reconcile' },
      {
        say: 'What has left the bank’s wallet, take out of the books',
        run: 'kestrel wallet debit … --reference deposit:REF',
      },
      {
        say: 'What is more in the bank’s wallet than was credited, put in',
        run: 'kestrel wallet credit … --reference deposit:REF',
      },
    ],
  },

  'a wallet cannot be opened at the bank': {
    happened:
      'The bank has refused, or not answered, for minutes: the business’s sandbox stays simulated, or its live payouts stay shut. It is tried again by itself, at most 15 minutes apart, and at once when the bank decides about the business.',
    money: 'None is concerned: there is no wallet yet that could hold any.',
    steps: [
      { say: 'Read what the bank says, and whom to ask for what is missing', run: 'kestrel doctor' },
      { say: 'See how far this business is', run: 'kestrel partner show SLUG' },
    ],
  },

  'a closed business has money in its live wallet': {
    happened:
      'A deposit, or a payout that was sent back, came after the business was closed, and nobody of it sees its wallet any more.',
    money: 'It is in the wallet of the closed business. What a late return cost is on the invoice of its month.',
    steps: [
      { say: 'See how much it is', run: 'kestrel partner show SLUG' },
      {
        say: 'Pay it back at the bank, then take it out of the books',
        run: 'kestrel wallet debit … --environment live --reference',
      },
      { say: 'While the money is there, the alarm rings again within a minute of being closed.' },
    ],
  },

  'reconciliation found breaks': {
    happened: 'Our books do not agree with themselves, or with the bank’s.',
    money: 'Nothing was changed. The table of breaks below says what each may mean.',
    steps: [{ say: 'Take the breaks one by one', run: 'kestrel reconcile' }],
  },

  'the database may lose what it acknowledges': {
    happened:
      'A setting of the database (`why`) is not on, so that a power cut or a failover may take back what was acknowledged. A process with a live bank does not start on such a database, and one that runs is not ready; it may have become another by a failover.',
    money:
      'Nothing is lost yet. If the database crashes, payouts that partners were told of may be gone from our books and stay at the bank.',
    steps: [
      {
        say: 'Set it on, in the file of every server that may become the primary, and have them read it (`select pg_reload_conf()`). Then look',
        run: 'kestrel doctor',
      },
      {
        say: 'If the database has crashed meanwhile, this lists every transfer that our books do not know',
        run: 'kestrel reconcile',
      },
    ],
  },

  'an invoice could not be mailed': {
    happened:
      'Its document could not be drawn, or the business changed each time that it was drawn; the others went out, and it is tried again after a minute, two, four, up to every four hours. The line says why (`err`).',
    money: 'None is concerned: the invoice exists, and is owed, all the same.',
    steps: [
      { say: 'If it is the business’s logo, have an admin of it remove that in the settings.' },
      {
        say: 'Mail it at once, by the alarm’s `invoiceId` or its `number`. It never goes out twice, and while it still cannot be drawn the command says why',
        run: 'kestrel invoice mail INVOICE_ID',
      },
      { say: 'See that the invoices themselves are right', run: 'kestrel invoice audit' },
    ],
  },

  'a mail was given up': {
    happened:
      'The mail server refused it for good, or it was of no use any more. There is one alarm for each kind of mail, with how often, and never an address. A code or an invitation to somebody who is no member is not told of: strangers may type any address.',
    money: 'None is concerned.',
    steps: [{ say: 'Check `SMTP_URL`, and the mail server’s own log', run: 'kestrel doctor' }],
  },

  'a mail could not be moved to the newest key': {
    happened:
      'No key that the process has opens a mail that waits or is kept. A mail that cannot be opened is of no use to anybody and is forgotten with its term.',
    money: 'None is concerned.',
    steps: [{ say: 'See how many rows need which key, and find that key', run: 'kestrel secrets status' }],
  },

  'a webhook secret could not be moved to the newest key': {
    happened:
      'No key that the process has opens the secret of a webhook endpoint, so nothing can be signed for it. Its partner can rotate the secret, which makes a new one.',
    money: 'None is concerned.',
    steps: [{ say: 'See how many rows need which key, and find that key', run: 'kestrel secrets status' }],
  },
} as const satisfies Record<string, AlarmEntry>
