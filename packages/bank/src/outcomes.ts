// Which ending a sandbox transfer has. An account number ending 0000 always fails (spec, part 1); every other path
// is chosen by a reference that begins with `sandbox:`, so that no other account number means anything.
export const SANDBOX_STORIES = ['return', 'fail', 'hold', 'late', 'reject', 'down', 'cancel'] as const

export type SandboxStory = 'settle' | 'refuse' | (typeof SANDBOX_STORIES)[number]

export function storyOf(payout: { accountNumber: string; reference: string | null }): SandboxStory {
  if (endsInFourZeros(payout.accountNumber)) return 'refuse'
  return storyNamedBy(payout.reference) ?? 'settle'
}

export function endsInFourZeros(accountNumber: string): boolean {
  return accountNumber.endsWith('0000')
}

/** For callers that no longer have the account number. Null when the reference names no story. */
export function storyNamedBy(reference: string | null): SandboxStory | null {
  const word = /^sandbox:([a-z]+)/.exec(reference ?? '')?.[1]
  return SANDBOX_STORIES.find((story) => story === word) ?? null
}
