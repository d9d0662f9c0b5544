// Words for what the server names in code: actions of the log, movements of the wallet, verification.

const ACTIONS: Readonly<Record<string, string>> = {
  'payout.create': 'Created a payout',
  'payout.cancel': 'Cancelled a payout',
  'payout.read': 'Read a payout',
  'payouts.list': 'Listed payouts',
  'payouts.export': 'Exported payouts',
  'confirm_code.create': 'Asked for a confirm code',
  'door_code.create': 'Asked for a code to confirm a change',
  'payout.timeline': 'Read a payout’s timeline',
  'payout.receipt': 'Read a payout as PDF',
  'payouts.sum': 'Added payouts up',
  'payouts.daily': 'Read payouts per day',
  'payout.simulate': 'Simulated an outcome',
  'quote.create': 'Asked for a quote',
  'account.read': 'Read the account',
  'balance.read': 'Read the balance',
  'funding.read': 'Read funding details',
  'compliance.read': 'Read compliance',
  'verification.start': 'Started verification',
  'recipients.list': 'Listed recipients',
  'usage.read': 'Read usage',
  'invoices.list': 'Listed invoices',
  'invoice.read': 'Read an invoice',
  'invoice.pdf': 'Read an invoice as PDF',
  'invoice.export': 'Exported an invoice',
  'invoiced_payouts.list': 'Listed an invoice’s payouts',
  'invoiced_payouts.export': 'Exported an invoice’s payouts',
  'statement.read': 'Read the statement',
  'statement.export': 'Exported the statement',
  'keys.list': 'Listed API keys',
  'key.create': 'Created an API key',
  'key.rotate': 'Rotated an API key',
  'key.revoke': 'Revoked an API key',
  'members.list': 'Listed the team',
  'member.invite': 'Invited a member',
  'invitations.list': 'Listed invitations',
  'invitation.send': 'Sent an invitation again',
  'invitation.withdraw': 'Withdrew an invitation',
  'invitation.accept': 'Accepted an invitation',
  'invitation.decline': 'Declined an invitation',
  'member.change': 'Changed a member',
  'member.remove': 'Removed a member',
  'session.create': 'Signed in',
  'session.end': 'Signed out',
  'session.read': 'Opened the dashboard',
  'session.change': 'Switched business',
  'session.revoke': 'Signed a browser out',
  'sessions.list': 'Listed sign-ins',
  'stream.open': 'Listened for updates',
  'settings.read': 'Read settings',
  'settings.change': 'Changed settings',
  'logo.change': 'Changed the logo',
  'logo.remove': 'Removed the logo',
  'activity.list': 'Read the log',
  'activity.export': 'Exported the log',
  'wallet.top_up': 'Added test money',
}

/** "Created a payout" of payout.create; an action without words of its own is shown as it is, readable. */
export function actionWords(action: string): string {
  const known = ACTIONS[action]
  if (known !== undefined) return known
  const plain = action.replaceAll(/[._]/g, ' ')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

const MOVEMENTS: Readonly<Record<string, string>> = {
  top_up: 'Top-up',
  correction: 'Correction',
  payout: 'Payout',
  payout_released: 'Not sent, given back',
  payout_refunded: 'Came back',
}

export const movementWords = (kind: string) => MOVEMENTS[kind] ?? actionWords(kind)

export interface VerificationWords {
  readonly word: string
  readonly tone: 'ok' | 'info' | 'warn' | 'bad' | 'quiet'
  readonly next: string
  /** Nothing on this page helps: only whoever runs the service can. */
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
  return VERIFICATION[status] ?? { word: actionWords(status), tone: 'quiet', next: 'We are waiting for the bank.' }
}
