// The second part of docs/payout-states.md: how far a payout has come inside, from the table that the program reads.
import { STAGES, STAGE_NAMES, type Stage, type StageName } from '../../domain/payouts/progress.ts'
import { markdownTable } from './markdown.ts'

const MEANINGS: Readonly<Record<StageName, string>> = {
  sending: 'The bank is being asked. If whoever asks it dies, the worker asks again.',
  in_doubt: 'The bank did not answer: it may have the payout or not.',
  not_sent: 'Certainly not sent; the caller was told so (502).',
  rejected: 'The bank does not take the account; the caller was told so (422).',
  unclear: 'The bank has it, and says of it only what we do not know.',
  on_its_way: 'The bank has it, and the money or draws the wallet for it.',
  completed: 'In the recipient’s account.',
  refund_due: 'It never arrived, and the bank has not given the money back yet.',
  refunded: 'It never arrived, and the money is back.',
  return_due: 'It had arrived and was sent back; the bank has not given the money back yet.',
  return_refunded: 'It had arrived and was sent back, and the money is back.',
  doubt_ended: 'It was in doubt until the bank refused it, or the operator released it. Nothing ever left.',
}

const TRANSFERS: Readonly<Record<Stage['transfer'], string>> = { made: 'Yes', perhaps: 'Perhaps', none: 'No' }

const FOLLOWED: Readonly<Record<Stage['isFollowed'], string>> = {
  yes: 'Yes',
  if_more_will_come: 'If it says that more will come',
  no: 'No',
}

const KEYS: Readonly<Record<Stage['key'], string>> = {
  waits: 'No: a second request waits for the first',
  bound: 'No: it answers with this payout, for ever',
  tries_again: 'Yes: the same request tries this payout again, another one takes the key; see below',
}

export function payoutStagesMarkdown(): string {
  const stages = STAGE_NAMES.map((name): [StageName, Stage] => [name, STAGES[name]])
  const meaning = stages.map(([name, stage]) => [
    `\`${name}\``,
    MEANINGS[name],
    stage.isVisible ? stage.statuses.map((status) => `\`${status}\``).join(', ') : 'Not visible',
    `\`${stage.money}\``,
    TRANSFERS[stage.transfer],
    FOLLOWED[stage.isFollowed],
    stage.mayBeCancelled ? 'While the bank can' : 'No',
    stage.endingMayBeUndone ? 'By the operator, if the bank stands by it' : 'No',
    KEYS[stage.key],
  ])
  const columns = stages.map(([name, stage]) => [
    `\`${name}\``,
    `\`${stage.sendState}\``,
    stage.statuses.map((status) => `\`${status}\``).join(', '),
    `\`${stage.refundState}\``,
    stage.hasCompleted ? 'Set' : '–',
    stage.isVisible ? 'Set' : '–',
    stage.isReleased.map((isReleased) => (isReleased ? 'Set' : '–')).join(' or '),
  ])
  return `## Inside: the stages

For whoever works on the service or runs it. A status is what the partner is told; inside, a payout is at one of these
stages, which say where its money is in the ledger. They are \`packages/server/src/domain/payouts/progress.ts\`.

${markdownTable(['Stage', 'What it is', 'Status', 'Its money', 'Has the bank a transfer?', 'Is the bank asked again?', 'May it be cancelled?', 'May it turn out to be paid?', 'May the key be used again?'], meaning)}

After \`not_sent\` and \`rejected\`, what the bank has read and refused may have been made all the same. Before anything more is
sent under that key, by the same request or another, the bank's list is read. It has the transfer: the same request gets it,
another one is refused. The list cannot be read: 503, and nothing is sent. It has nothing: after a 502 the same request is
sent, and another one always is, if the bank's wallet holds all that it must; else they get 409 until the refusal is an hour
old and the list must have what was made. After a 422 the same request gets that again for as long. A key whose money an
operator took out of the books by hand (\`kestrel wallet debit … --reference payout:ID\`) is closed: 422 \`idempotency_key_reused\`.

A stage is what several columns of the row say together. The database refuses every other combination.

${markdownTable(['Stage', '`send_state`', '`status`', '`refund_state`', '`completed_at`', '`surfaced_at`', '`released_at`'], columns)}
`
}
