// Stories that went wrong once, each with what was wrong. They are told again at every run.
export const KEPT_SEEDS: readonly { readonly seed: number; readonly was: string }[] = []
