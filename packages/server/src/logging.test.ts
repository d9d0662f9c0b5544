import { afterEach, expect, it, vi } from 'vitest'

import { createLogger } from './logging.ts'

afterEach(() => vi.useRealTimers())

it('a line says when it was written, to the millisecond', () => {
  const lines: string[] = []
  const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  const moments = [
    '2026-11-17T18:22:18.000Z',
    '2026-11-17T18:22:18.007Z',
    '2026-11-17T18:22:18.999Z',
    '2027-01-01T00:00:00.040Z',
  ]
  for (const moment of moments) {
    vi.useFakeTimers({ now: new Date(moment), toFake: ['Date'] })
    log.info('said')
  }
  expect(lines.map((line) => (JSON.parse(line) as { time: string }).time)).toEqual(moments)
})
