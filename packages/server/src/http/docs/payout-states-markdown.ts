// docs/payout-states.md: what a status means for the partner's money and what to do about it. The diagram is drawn
// from the table that the program itself moves by.
import { PAYOUT_STATUSES, type PayoutStatus } from '@kestrel/contract'

import { MOVES_BY_HAND, PAYOUT_MOVES } from '../../domain/payouts/states.ts'
import { markdownTable } from './markdown.ts'
import { payoutStagesMarkdown } from './payout-stages-markdown.ts'

interface StatusNotes {
  readonly meaning: string
  readonly money: string
  readonly charged: string
  readonly todo: string
  readonly sandbox: string
}

const NOTES: Readonly<Record<PayoutStatus, StatusNotes>> = {
  pending: {
    meaning: 'Saved, waiting for the bank to confirm. It may or may not have been sent.',
    money: 'Reserved: out of the balance, not yet gone.',
    charged: 'No',
    todo: 'Wait and read it again. Do not pay the same thing under another key.',
    sandbox: 'reference `sandbox:late`; it goes on after about two seconds',
  },
  processing: {
    meaning: 'The bank has it and it is on its way.',
    money: 'Sent from the wallet.',
    charged: 'No',
    todo: 'Wait and read it again; Faster Payments usually takes minutes.',
    sandbox: 'any valid-looking account; reference `sandbox:hold` makes it stay',
  },
  completed: {
    meaning: 'In the recipient’s account.',
    money: 'Paid.',
    charged: 'Yes, in the London month in which it completed',
    todo: 'Mark your order as paid. Look again some days later: a bank can still send it back.',
    sandbox: 'any valid-looking account, after about two seconds',
  },
  failed: {
    meaning: 'Did not go. `failure_reason` says why.',
    money: 'Back in the wallet once the bank says that it is: at once if it never left.',
    charged: 'No',
    todo: 'Check the details with the recipient, then make a new payout with a new key.',
    sandbox: 'an account number ending `0000` at once, reference `sandbox:fail` after `processing`',
  },
  cancelled: {
    meaning: 'Stopped before it went: by you, or by the bank.',
    money: 'Back in the wallet once the bank says that it is, normally at once.',
    charged: 'No',
    todo: 'Read `failure_reason`, then make a new payout with a new key if it is still owed.',
    sandbox: 'reference `sandbox:cancel`; with a bank connected, any payout that you cancel within half a second',
  },
  returned: {
    meaning: 'The recipient’s bank sent it back.',
    money: 'Back in the wallet once the bank says that the refund has arrived.',
    charged: 'Only if it had completed before; the fee then stays',
    todo: 'Ask the recipient for another account, then make a new payout with a new key.',
    sandbox: 'reference `sandbox:return`, after `completed`',
  },
}

/** The status that a payout has when its creator first sees it (spec, part 3). */
const FIRST_SEEN: Readonly<Record<PayoutStatus, string | null>> = {
  pending: 'the bank did not answer in time',
  processing: 'the bank accepted it',
  completed: null,
  failed: 'the bank accepted it and could not deliver it',
  cancelled: null,
  returned: null,
}

export function payoutStatesMarkdown(): string {
  const rows = (...columns: readonly (keyof StatusNotes)[]) =>
    PAYOUT_STATUSES.map((status) => [`\`${status}\``, ...columns.map((column) => NOTES[status][column])])
  return `# The states of a payout

Written by \`node scripts/write-docs.mjs\`; the diagram is drawn from \`packages/server/src/domain/payouts/states.ts\`. The
database refuses every other move.

\`\`\`mermaid
${diagram()}
\`\`\`

## What they mean

${markdownTable(['Status', 'Meaning', 'The money', 'Charged'], rows('meaning', 'money', 'charged'))}

\`completed\` changes in one way only. \`failed\`, \`cancelled\` and \`returned\` do not change by themselves, and never once
the money is back in the wallet. Very rarely the bank says that it has paid after all, before the money was back: then the
operator completes the payout, a mail tells the admins, and the timeline keeps what was said before.

## Who can see them

A payout is visible from the moment it is created, in every state, to the API keys of its own partner and environment. To
any other key its id is unknown: the answer is 404, the same as for an id that never was. An attempt that came to nothing
(402, 422, 502) is no payout: it has no state, is in no list, and leaves the wallet as it was.

Only the recipient's name and the last four digits of the account are shown, in every state.

## What to do

${markdownTable(['Status', 'What to do'], rows('todo'))}

Poll \`GET /v1/payouts/{id}\`, or \`GET /v1/payouts?status=…\` for many. A request that ended without an answer (a timeout, a
500, a 503) is sent again with the same \`Idempotency-Key\`: that tells what became of it and never pays twice.

\`POST /v1/payouts/{id}/cancel\` stops a payout as long as the bank has not taken its money from the wallet: in sandbox for half
a second, in live for moments or not at all. After that it is refused with 409 \`payout_not_cancellable\`, and nothing has
changed.

## How to see each in sandbox

${markdownTable(['Status', 'Send'], rows('sandbox'))}

Two more references end without a payout: \`sandbox:reject\` is refused with 422 \`recipient_account_rejected\`, and
\`sandbox:down\` with 502 \`payout_not_created\`. An account number ending \`0000\` fails whatever the reference says. In live
none of these references means anything.

${payoutStagesMarkdown()}`
}

const BY_HAND = 'by the operator alone, while the refund is due'

function diagram(): string {
  const first = PAYOUT_STATUSES.filter((status) => FIRST_SEEN[status] !== null)
  const moves = PAYOUT_STATUSES.flatMap((from) => PAYOUT_MOVES[from].map((to) => `  ${from} --> ${to}`))
  const byHand = PAYOUT_STATUSES.flatMap((from) => MOVES_BY_HAND[from].map((to) => `  ${from} --> ${to}: ${BY_HAND}`))
  const ends = PAYOUT_STATUSES.filter((status) => PAYOUT_MOVES[status].length === 0)
  return [
    'stateDiagram-v2',
    ...first.map((status) => `  [*] --> ${status}: ${FIRST_SEEN[status]}`),
    ...moves,
    ...byHand,
    ...ends.map((status) => `  ${status} --> [*]`),
  ].join('\n')
}
