// Which ending a sandbox payout has. An account number ending 0000 always fails (spec, part 1); every other
// path is chosen by a reference that begins with `sandbox:`, so that no other account number means anything.
export const SANDBOX_STORIES = ['return', 'fail', 'hold', 'late', 'reject', 'down', 'cancel'] as const

export type SandboxStory = 'settle' | 'refuse' | (typeof SANDBOX_STORIES)[number]

export function storyOf(payout: { accountNumber: string; reference: string | null }): SandboxStory {
  if (payout.accountNumber.endsWith('0000')) return 'refuse'
  const word = /^sandbox:([a-z]+)/.exec(payout.reference ?? '')?.[1]
  return SANDBOX_STORIES.find((story) => story === word) ?? 'settle'
}
