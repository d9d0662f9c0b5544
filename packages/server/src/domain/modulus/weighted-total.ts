// The sum that a modulus check divides (1.3).
import type { CheckMethod, Weights } from './weight-table.ts'

export const MODULUS = { MOD10: 10, MOD11: 11, DBLAL: 10 } as const satisfies Record<CheckMethod, number>

export function weightedTotal(
  digits: string,
  { method, weights }: { readonly method: CheckMethod; readonly weights: Weights },
): number {
  // Double alternate adds the digits of each product: 18 counts as 1 + 8.
  const valueOf = method === 'DBLAL' ? sumOfDigits : (product: number) => product
  return weights.reduce((total, weight, position) => total + valueOf(digitAt(digits, position) * weight), 0)
}

function digitAt(digits: string, position: number): number {
  return Number.parseInt(digits.charAt(position), 10)
}

function sumOfDigits(product: number): number {
  return Array.from(String(product)).reduce((sum, digit) => sum + Number.parseInt(digit, 10), 0)
}
