export type StepState = 'done' | 'current' | 'later'

export interface VerificationStep {
  readonly title: string
  readonly text: string
  readonly state: StepState
}

const STEPS = [
  { title: 'Tell the bank about the business', text: 'Company number, address, what you do.' },
  { title: 'The people behind it', text: 'Directors and owners prove who they are.' },
  { title: 'The bank checks', text: 'Usually one or two working days.' },
  { title: 'Live is open', text: 'Live keys and real payouts.' },
]

/** The current step for each status. A rejected business stays at the bank's check. */
const CURRENT: Readonly<Record<string, number>> = {
  not_started: 0,
  in_progress: 1,
  in_review: 2,
  rejected: 2,
  suspended: 2,
  approved: STEPS.length,
}

/** The current step while the bank opens the wallet of an approved business. */
export const OPENING = STEPS.length - 1

export const currentStep = (status: string) => CURRENT[status] ?? 0

export function stepsWith(current: number): readonly VerificationStep[] {
  return STEPS.map((step, index) => ({
    ...step,
    state: index < current ? 'done' : index === current ? 'current' : 'later',
  }))
}
