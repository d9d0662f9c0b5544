// How far the bank's check of a business is, and what comes next.
import { readable } from '../../format/readable.ts'

export interface VerificationWords {
  readonly word: string
  readonly tone: 'ok' | 'info' | 'warn' | 'bad' | 'quiet'
  readonly next: string
  /** Only whoever runs the service can help, so the page shows their address. */
  readonly isStuck?: true
}

const VERIFICATION: Readonly<Record<string, VerificationWords>> = {
  not_started: { word: 'Not started', tone: 'quiet', next: 'Start when you are ready. It takes about ten minutes.' },
  in_progress: { word: 'In progress', tone: 'info', next: 'Your turn: the bank still needs details from you.' },
  in_review: {
    word: 'In review',
    tone: 'info',
    next: 'The bank’s turn: it is checking what you sent. This usually takes one or two working days.',
  },
  approved: { word: 'Approved', tone: 'ok', next: 'Done. Live is open.' },
  rejected: {
    word: 'Not approved',
    tone: 'bad',
    next: 'The bank did not approve the business. You can start again with other details, or ask what is missing.',
    isStuck: true,
  },
  suspended: { word: 'Suspended', tone: 'bad', next: 'The bank has paused this account.', isStuck: true },
}

export function verificationWords(status: string): VerificationWords {
  return VERIFICATION[status] ?? { word: readable(status), tone: 'quiet', next: 'We are waiting for the bank.' }
}
