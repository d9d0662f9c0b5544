// Stories that went wrong once, each with what was wrong. They are told again at every run.
export const KEPT_SEEDS: readonly { readonly seed: number; readonly was: string }[] = [
  {
    seed: 625_671_004,
    was: 'an alarm that the bank’s wallet lacks money, which had gone for another payout whose answer was lost a moment ago',
  },
]
