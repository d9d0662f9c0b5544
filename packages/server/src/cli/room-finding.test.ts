import { expect, it } from 'vitest'

import { roomFinding } from './room-finding.ts'

const MEGABYTE = 1024n * 1024n
const found = (freeBytes: bigint) => roomFinding('Data directory', '/data', freeBytes)

it('a data directory without room is a problem, one with little is told of, and any other is well', () => {
  expect(found(0n)).toMatchObject({ status: 'problem', detail: expect.stringContaining('/data has 0 MB left') })
  expect(found(64n * MEGABYTE - 1n)).toMatchObject({ status: 'problem', detail: expect.stringContaining('63 MB') })
  expect(found(512n * MEGABYTE - 1n)).toMatchObject({ status: 'warning' })
  expect(found(64n * MEGABYTE)).toMatchObject({ status: 'warning', detail: expect.stringContaining('64 MB') })
  expect(found(512n * MEGABYTE)).toEqual({ name: 'Data directory', status: 'ok', detail: '/data' })
})
