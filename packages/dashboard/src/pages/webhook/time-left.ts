/** "1 d 2 h 3 min 4 s", without leading zeros; null when it is over. */
export function timeLeft(until: string, now: Date): string | null {
  const seconds = Math.ceil((new Date(until).getTime() - now.getTime()) / 1_000)
  if (seconds <= 0) return null
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  return parts
    .slice(first)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}
