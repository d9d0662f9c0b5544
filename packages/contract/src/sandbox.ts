import { Type, type Static } from 'typebox'

import { FAILURE_CODES, type FailureCode } from './failure-code.ts'
import { Invoice } from './invoice.ts'
import { Money } from './scalars.ts'
import { Named, RefTo, Words } from './schema.ts'

export const SIMULATED_OUTCOMES = ['settle', 'return', 'fail', 'cancel'] as const

/**
 * `cancelled` is what every cancelled payout says, and the reason of no other; `invalid_recipient` is what a bank says of a payout
 * that it has not taken.
 */
export const SIMULATED_REASONS = FAILURE_CODES.filter(
  (code): code is Exclude<FailureCode, 'cancelled' | 'invalid_recipient'> =>
    code !== 'cancelled' && code !== 'invalid_recipient',
)
export type SimulatedReason = (typeof SIMULATED_REASONS)[number]

export const SimulateRequest = Named(
  'SimulateRequest',
  Type.Object(
    {
      outcome: Words(SIMULATED_OUTCOMES, {
        description:
          '`settle`: it arrives. `return`: it arrives and is sent back. `fail`: the bank cannot deliver it. `cancel`: it is stopped before it is sent.',
        'x-rule': 'settle, return, fail or cancel',
      }),
      reason: Type.Optional(
        Words(SIMULATED_REASONS, {
          description:
            'With `fail` or `return`: the `failure_code` that the payout shall have. Without it the bank gives a reason of its own.',
          'x-rule': 'with fail or return, a failure_code other than cancelled and invalid_recipient',
        }),
      ),
    },
    { additionalProperties: false, description: 'What the sandbox bank should do with a payout.' },
  ),
)
export type SimulateRequest = Static<typeof SimulateRequest>

const Source = Words(['bank', 'chain'], {
  description: 'A transfer in pounds, or USDC.',
  'x-rule': 'bank or chain',
})

export const TopUpRequest = Named(
  'TopUpRequest',
  Type.Object(
    {
      usdc: {
        ...Money('How much arrives, from 1.00 to 100000.00 USDC.', '500.00'),
        'x-rule': '1.00 to 100000.00, with two decimals',
      },
      source: Source,
    },
    { additionalProperties: false, description: 'Test money for the sandbox wallet.' },
  ),
)
export type TopUpRequest = Static<typeof TopUpRequest>

export const TopUp = Named(
  'TopUp',
  Type.Object(
    { object: Type.Literal('top_up'), usdc: Money('How much arrives.', '500.00'), source: Source },
    { description: 'A deposit of test money that the sandbox bank was asked to make.' },
  ),
)
export type TopUp = Static<typeof TopUp>

export const FARTHEST_SECONDS = 2_678_400

/** A month's invoice in the shape of a real one, except that nothing about it is. */
export const RehearsalInvoice = Named(
  'RehearsalInvoice',
  Type.Object(
    {
      object: Type.Literal('rehearsal_invoice'),
      rehearsal: Type.Literal(true, { description: 'Always: this is not a bill.' }),
      number: Type.Null({ description: 'A rehearsal has no number.' }),
      period: Type.String({ description: 'The month, as YYYY-MM.', examples: ['2026-11'] }),
      status: Type.Literal('draft', { description: 'It is never issued.' }),
      total_gbp: Money('The sum of the lines, which nobody owes.', '63.40'),
      issued_at: Type.Null(),
      due_at: Type.Null(),
      paid_at: Type.Null(),
      voided_at: Type.Null(),
      how_to_pay: Type.Null(),
      lines: Invoice.properties.lines,
    },
    {
      description:
        'The invoice that a month of the sandbox would give in live. Nothing is stored, numbered or charged.',
    },
  ),
)
export type RehearsalInvoice = Static<typeof RehearsalInvoice>

export const AdvanceRequest = Named(
  'AdvanceRequest',
  Type.Object(
    {
      seconds: Type.Integer({
        minimum: 1,
        maximum: FARTHEST_SECONDS,
        description: 'How much time passes, from a second to 31 days.',
        examples: [60],
        'x-rule': 'a whole number from 1 to 2678400',
      }),
      close_month: Type.Optional(
        Type.Boolean({
          description: 'Whether the current month closes after that: the answer has its invoice, as a rehearsal.',
          'x-rule': 'true or false',
        }),
      ),
    },
    { additionalProperties: false, description: 'How much time passes for the payouts of a sandbox.' },
  ),
)
export type AdvanceRequest = Static<typeof AdvanceRequest>

export const Advanced = Named(
  'Advanced',
  Type.Object(
    {
      object: Type.Literal('advance'),
      seconds: Type.Integer({ description: 'How much time passed.', examples: [60] }),
      payouts: Type.Integer({
        description: 'How many payouts moved, or were looked at because they may have.',
        examples: [3],
      }),
      invoice: Type.Optional(RefTo(RehearsalInvoice)),
    },
    {
      description:
        'What came of it, with the `invoice` of a rehearsal where the month was to close. The payouts themselves say how they are now.',
    },
  ),
)
export type Advanced = Static<typeof Advanced>

export const SandboxReset = Named(
  'SandboxReset',
  Type.Object(
    {
      object: Type.Literal('sandbox_reset'),
      usdc: Money('What the wallet holds now: what a sandbox begins with.', '10000.00'),
      payouts_cancelled: Type.Integer({
        description: 'How many payouts that were under way are cancelled.',
        examples: [2],
      }),
      payouts_under_way: Type.Integer({
        description:
          'How many are under way still: the bank has not confirmed them, or they were too many for one reset. Their money comes on top when it comes back.',
        examples: [0],
      }),
    },
    { description: 'A sandbox that is back at its beginning.' },
  ),
)
export type SandboxReset = Static<typeof SandboxReset>
