// Integer division with the rounding in its name. Divisors are positive, amounts are not negative.
import { assert } from './assert.ts'

export function divideDown(amount: bigint, divisor: bigint): bigint {
  assert(divisor > 0n && amount >= 0n, 'money is divided by a positive number and is never negative')
  return amount / divisor
}

export function divideUp(amount: bigint, divisor: bigint): bigint {
  assert(divisor > 0n && amount >= 0n, 'money is divided by a positive number and is never negative')
  return (amount + divisor - 1n) / divisor
}

export function divideHalfUp(amount: bigint, divisor: bigint): bigint {
  assert(divisor > 0n && amount >= 0n, 'money is divided by a positive number and is never negative')
  return (amount * 2n + divisor) / (divisor * 2n)
}
