// Mistakes in what the bank is heard to say: news that is lost, believed too much, or told to nobody.
import type { Mutant } from './mutant.ts'

const NEWS = 'packages/server/test/bank/bank-news.test.ts'
const FEEDS = 'packages/server/test/bank/feeds.test.ts'

export const HEARING: readonly Mutant[] = [
  {
    name: 'refund-after-completion-is-lost',
    promise: 'legal-moves',
    mistake: 'A completed payout of which only the refund is seen stays completed, and its money is nobody’s.',
    change: {
      file: 'domain/payouts/states.ts',
      from: "current === 'completed' && UNDONE.has(STATUS_OF[reported]) ? 'returned' : STATUS_OF[reported]",
      to: 'STATUS_OF[reported]',
    },
    caughtBy: { file: NEWS, test: 'a completed payout that is undone' },
  },
  {
    name: 'contradiction-is-silent',
    promise: 'somebody-is-told',
    mistake: 'What the bank says against its own word is dropped without a word.',
    change: {
      file: 'domain/payouts/record/news-concerns.ts',
      from: '  return UNDONE.has(row.status) && !UNDONE.has(said)\n',
      to: '  return UNDONE.has(row.status) && UNDONE.has(said) && false\n',
    },
    caughtBy: { file: NEWS, test: 'a move that cannot be > back from its end' },
  },
  {
    name: 'unknown-state-is-silent',
    promise: 'somebody-is-told',
    mistake: 'A state that nobody knows is no news, and nobody is told.',
    change: {
      file: 'domain/payouts/record/news-concerns.ts',
      from: "  if (transfer.state === 'unknown') concerns.push(unknownWord(row.id, bankState))\n",
      to: '  void unknownWord\n',
    },
    caughtBy: { file: NEWS, test: 'a state that nobody knows > changes nothing, is told once' },
  },
  {
    name: 'short-wallet-is-silent',
    promise: 'somebody-is-told',
    mistake: 'A bank whose wallet holds less than our books say is asked again and again, and nobody is told.',
    change: {
      file: 'domain/payouts/ask/ask-bank.ts',
      from: "if (trouble !== 'funds' && trouble !== 'account') return",
      to: "if (trouble !== 'account') return",
    },
    caughtBy: { file: NEWS, test: 'is told at once, once, and the payout pays' },
  },
  {
    name: 'amount-not-compared',
    promise: 'books-agree',
    mistake: 'What the bank really took is not compared with what was reserved.',
    change: {
      file: 'domain/payouts/record/amount-taken.ts',
      from: '  return taken === row.walletSends ? null : taken\n',
      to: '  return taken === row.walletSends ? null : null\n',
    },
    caughtBy: { file: NEWS, test: 'the wallet follows, the difference is in fx_diff' },
  },
  {
    name: 'second-transfer-is-believed',
    promise: 'books-agree',
    mistake: 'The news of another transfer under a payout’s reference is taken for the payout’s own.',
    change: {
      file: 'domain/payouts/record/record-news.ts',
      from: 'transfers.filter((each) => row.transferRef === null || each.transferRef === row.transferRef)',
      to: 'transfers.filter((each) => row.transferRef === null || each.transferRef !== "")',
    },
    caughtBy: { file: NEWS, test: 'turns nothing and credits nothing, and is told' },
  },
  {
    name: 'chosen-ending-comes-too-late',
    promise: 'legal-moves',
    mistake: 'A sandbox payout that has arrived is turned into a returned one by an ending that was refused with 409.',
    change: {
      file: 'domain/payouts/record/record-news.ts',
      from: 'newsOf.get(row.id)!.filter(({ onlyIf }) => onlyIf?.(row) ?? true)',
      to: 'newsOf.get(row.id)!',
    },
    caughtBy: {
      file: 'packages/server/test/races/told-to-end.test.ts',
      test: 'a payout that settles while it is told to end otherwise > stays completed if it was first',
    },
  },
  {
    name: 'mark-runs-ahead',
    promise: 'top-ups-once',
    mistake: 'A mark that a row of the bank’s has moved ahead of the time hides whatever comes before that.',
    change: {
      file: 'storage/bank-feeds.ts',
      from: 'lease_token = $5, read_up_to = least(read_up_to, $3)\n',
      to: 'lease_token = $5\n',
    },
    caughtBy: { file: FEEDS, test: 'although the mark of bank_deposits had run ahead before' },
  },
  {
    name: 'late-rows-are-missed',
    promise: 'top-ups-once',
    mistake: 'A deposit that shows up at the bank half an hour late is behind the mark, and never credited.',
    change: {
      file: 'domain/banking/feeds/read-feed.ts',
      from: 'after(readUpTo, isWide ? -ROWS_COME_WITHIN_MS : -NARROW_MS)',
      to: 'after(readUpTo, isWide ? -NARROW_MS : -NARROW_MS)',
    },
    caughtBy: { file: FEEDS, test: 'shows up half an hour late' },
  },
  {
    name: 'unreadable-row-stops-all',
    promise: 'top-ups-once',
    mistake: 'One deposit that cannot be read keeps everybody’s top-ups back.',
    change: {
      file: 'rail/provider/list-rows.ts',
      from: '      const why = error instanceof Error ? error.message : String(error)\n',
      to: '      const why = error instanceof Error ? error.message : String(error)\n      if (found.unread.length >= 0) throw error\n',
    },
    caughtBy: { file: FEEDS, test: 'although another partner’s row cannot be read', error: 'amount that is no money' },
  },
  {
    name: 'failed-credit-stops-all',
    promise: 'top-ups-once',
    mistake: 'One deposit that cannot be written down keeps those after it back.',
    change: {
      file: 'domain/banking/feeds/credit-deposits.ts',
      from: '    const about = { ...scope, depositRef: deposit.depositRef, err: error }\n',
      to: '    if (deposit.amount > 0n) throw error\n    const about = { ...scope, depositRef: deposit.depositRef, err: error }\n',
    },
    caughtBy: { file: FEEDS, test: 'although an earlier one of the same page', error: 'not this one' },
  },
  {
    name: 'credited-twice',
    promise: 'top-ups-once',
    mistake: 'A deposit is credited each time that the bank shows it.',
    change: {
      file: 'domain/banking/feeds/credit-deposits.ts',
      from: '  if (!isNew) return\n',
      to: '  void isNew\n',
    },
    caughtBy: {
      file: 'packages/server/test/bank/deposits.test.ts',
      test: 'is credited once by its message, the list and the daily read',
    },
  },
  {
    name: 'message-is-dropped',
    promise: 'bank-messages',
    mistake: 'A message that names what the bank does not show yet counts as dealt with.',
    change: {
      file: 'domain/banking/feeds/bank-events.ts',
      from: '  if (isSettled) return same\n',
      to: '  if (isSettled || same.length > 0) return same\n',
    },
    caughtBy: { file: FEEDS, test: 'is asked for again while the bank’s message names what it does not show' },
  },
  {
    name: 'message-answered-before-it-is-kept',
    promise: 'bank-messages',
    mistake: 'A message is answered as received while it is only in memory: a process that ends then has lost it.',
    change: {
      file: 'domain/banking/feeds/bank-events.ts',
      from: '    await keepMessage(deps, environment, { ...event, receivedAt: now })\n',
      to: '    void keepMessage(deps, environment, { ...event, receivedAt: now }).catch(() => undefined)\n',
    },
    caughtBy: {
      file: 'packages/server/test/bank/forged-webhooks.test.ts',
      test: 'is answered once it is in the database, and not before',
    },
  },
  {
    name: 'signature-not-checked',
    promise: 'bank-messages',
    mistake: 'A message is believed whoever signed it.',
    change: {
      file: 'rail/provider/webhook-signature.ts',
      from: "if (!verify('sha256', digest, keyFrom(message.publicKey), Buffer.from(signature, 'base64'))) {",
      to: "if (verify('sha256', digest, keyFrom(message.publicKey), Buffer.from(signature, 'base64')) === null) {",
    },
    caughtBy: {
      file: 'packages/server/test/bank/forged-webhooks.test.ts',
      test: 'is never believed, in 1,000 ways',
      error: 'Property failed',
    },
  },
  {
    name: 'operator-moves-twice',
    promise: 'top-ups-once',
    mistake: 'A correction by the operator that is repeated, because its answer was lost, moves the money once more.',
    change: {
      file: 'domain/banking/operator/move-by-operator.ts',
      from: '  if (!isNew) {\n',
      to: "  if (!isNew && movement.kind === 'credit') {\n",
    },
    caughtBy: {
      file: 'packages/server/test/bank/refused-and-made.test.ts',
      test: 'under payout: closes its key',
    },
  },
]
