// The rows of the table: which sides each compares, and where it has to be. Ratios are made of the medians of the
// rounds that counted, and of the best ones.
import { GROWTH_ROWS } from './growth.mjs'

const rate = (side) => (sides, pick) => sides[side][pick].rate
const middle = (side) => (sides, pick) => sides[side][pick].p50
const over = (one, other) => (sides, pick) => one(sides, pick) / other(sides, pick)
const bestOf =
  (...sides) =>
  (all, pick) =>
    Math.max(...sides.map((side) => all[side][pick].rate))

export const ROWS = {
  P1: {
    what: 'payouts/s, one wallet, 64 connections, simulated rail ÷ classic transaction by pgbench, 64 clients',
    sides: ['api', 'classic'],
    ratio: over(rate('api'), rate('classic')),
    floor: 6,
    goal: 15,
  },
  P1b: {
    what: 'the same through the bank’s adapter to a bank that answers at once ÷ the same',
    sides: ['throughInstantBank', 'classic'],
    ratio: over(rate('throughInstantBank'), rate('classic')),
    floor: 4,
    goal: 10,
  },
  P1c: {
    what: 'the same through the bundled bank ÷ the same',
    sides: ['throughBundledBank', 'classic'],
    ratio: over(rate('throughBundledBank'), rate('classic')),
    floor: 2,
    goal: 5,
  },
  P2: {
    what: 'payouts/s of P1 ÷ one call by pgbench at its best concurrency',
    sides: ['api', 'oneCall1', 'oneCall8'],
    ratio: over(rate('api'), bestOf('oneCall1', 'oneCall8')),
    floor: 0.8,
    goal: 2,
  },
  P3: {
    what: 'payouts/s of P1 ÷ the same server with storage stubbed',
    sides: ['api', 'stubbed'],
    ratio: over(rate('api'), rate('stubbed')),
    floor: 0.6,
    goal: 0.9,
  },
  P5: {
    what: '1,000 wallets ÷ one wallet',
    sides: ['wallets1000', 'api'],
    ratio: over(rate('wallets1000'), rate('api')),
    floor: 0.8,
    goal: 1,
  },
  P6: {
    what: '256 connections ÷ 8',
    sides: ['api256', 'api8'],
    ratio: over(rate('api256'), rate('api8')),
    floor: 1.5,
    goal: 2,
  },
  P6b: {
    what: '2,000 connections ÷ 256',
    sides: ['api2000', 'api256'],
    ratio: over(rate('api2000'), rate('api256')),
    floor: 0.8,
    goal: 1,
  },
  P7: {
    what: 'p99 at 64 connections ÷ (64 ÷ throughput)',
    sides: ['api'],
    ratio: (sides, pick) => sides.api[pick].p99 / ((64 / sides.api[pick].rate) * 1_000),
    floor: 2,
    goal: 1.4,
    isLessBetter: true,
  },
  P8: {
    what: 'p50 of a lone request ÷ p50 of one call by pgbench',
    sides: ['lone', 'oneCall1'],
    ratio: (sides, pick) => sides.lone[pick].p50 / sides.oneCall1[pick].p50,
    floor: 6,
    goal: 3,
    isLessBetter: true,
  },
  P9: {
    what: 'payouts/s of P1 with a disk that takes a millisecond longer ÷ without',
    sides: ['slowDisk', 'api'],
    ratio: over(rate('slowDisk'), rate('api')),
    floor: 0.85,
    goal: 0.97,
  },
  P10: {
    what: 'payouts/s with a bank that takes 50 ms ÷ with one that answers at once, 512 connections',
    sides: ['distant512', 'instant512'],
    ratio: over(rate('distant512'), rate('instant512')),
    floor: 0.6,
    goal: 0.9,
  },
  ...GROWTH_ROWS,
  P13: {
    what: 'bytes on disk that a further payout adds, all tables and indexes',
    sides: ['disk'],
    ratio: (sides, pick) => sides.disk[pick].bytes,
    floor: 2_000,
    goal: 1_000,
    isLessBetter: true,
  },
  P14: {
    what: 'replays/s ÷ creates/s, 64 connections',
    sides: ['api', 'replays'],
    ratio: over(rate('replays'), rate('api')),
    floor: 1,
    goal: 1.3,
  },
  P15: {
    what: 'balance/s ÷ a plain Fastify GET',
    sides: ['balance', 'plainGet'],
    ratio: over(rate('balance'), rate('plainGet')),
    floor: 0.4,
    goal: 0.8,
  },
  P15b: {
    what: 'unchanged list of 50 per second ÷ a plain Fastify GET',
    sides: ['list', 'plainGet'],
    ratio: over(rate('list'), rate('plainGet')),
    floor: 0.4,
    goal: 0.8,
  },
  P15c: {
    what: 'the same, asked with its ETag (304) ÷ a plain Fastify GET',
    sides: ['listAgain', 'plainGet'],
    ratio: over(rate('listAgain'), rate('plainGet')),
    floor: 0.4,
    goal: 0.8,
  },
  P16: {
    what: 'warm `npm start` to /healthz ÷ `node -e 0`',
    sides: ['node', 'npmStart'],
    ratio: over(middle('npmStart'), middle('node')),
    floor: 12,
    goal: 6,
    isLessBetter: true,
  },
  P16b: {
    what: '`kestrel --help` ÷ `node -e 0`',
    sides: ['node', 'help'],
    ratio: over(middle('help'), middle('node')),
    floor: 2,
    goal: 1.5,
    isLessBetter: true,
  },
  P17: {
    what: 'first 2,000 payouts of a new database ÷ the next 20,000, payouts/s',
    sides: ['first2000', 'next20000'],
    ratio: over(rate('first2000'), rate('next20000')),
    floor: 0.8,
    goal: 0.95,
  },
  P18: {
    what: 'MB of memory of the API after full load',
    sides: ['api'],
    ratio: (_sides, _pick, sizes) => sizes.simulated.residentMb,
    floor: 150,
    goal: 90,
    isLessBetter: true,
  },
  P18b: {
    what: 'MB by which the API’s memory grows per 1,000,000 payouts (--memory-count)',
    sides: ['memory'],
    ratio: (sides, pick) => sides.memory[pick].grown,
    floor: 5,
    goal: 0,
    isLessBetter: true,
  },
  P19: {
    what: 'CPU of all processes of `npm start` at rest, % of one core',
    sides: ['idle'],
    ratio: (sides, pick) => sides.idle[pick].share,
    floor: 1,
    goal: 0.3,
    isLessBetter: true,
  },
}
