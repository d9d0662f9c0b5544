import { execFileSync } from 'node:child_process'

import { expect, it } from 'vitest'

import { HEAP_FLAG } from './bounded-heap.ts'

/** Keeps 10,000 objects, which grow old before they are thrown away; writes how large the heap became, compared with what was kept. */
const CHURN = `
  const kept = []
  const made = (nth) => ({ nth, fields: Array.from({ length: 40 }, (_, field) => ({ field, nth })) })
  for (let nth = 0; nth < 10_000; nth++) kept.push(made(nth))
  gc()
  const inUse = process.memoryUsage().heapUsed
  let most = 0
  for (let nth = 0; nth < 100_000; nth++) {
    kept[nth % 10_000] = made(nth)
    if (nth % 1_000 === 0) most = Math.max(most, process.memoryUsage().heapUsed)
  }
  process.stdout.write(String(most / inUse))`

const grownTo = (flag: string) =>
  Number(
    execFileSync(process.execPath, [
      '--expose-gc',
      '-e',
      `require('node:v8').setFlagsFromString('${flag}');${CHURN}`,
    ]).toString(),
  )

it('the heap is cleared before it is four times what is in use, on the Node that runs here', () => {
  expect(grownTo(HEAP_FLAG)).toBeLessThan(4)
})
