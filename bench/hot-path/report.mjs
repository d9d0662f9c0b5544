// What the bench prints: a table of the rows, the sides with their CPU per payout, and a chart of the ratios.
const print = (line = '') => process.stdout.write(`${line}\n`)
const short = (number) => (number >= 100 ? number.toFixed(0) : number >= 10 ? number.toFixed(1) : number.toFixed(2))

export function standing({ ratio, floor, goal, isLessBetter = false }) {
  const reaches = (limit) => (isLessBetter ? ratio <= limit : ratio >= limit)
  return reaches(goal) ? 'goal' : reaches(floor) ? 'floor' : 'under'
}

export function printReport({ rows, sides, discarded }) {
  print()
  print(
    'side                   best/s  median/s      p50 ms   p99 ms   CPU µs per payout: Node, PostgreSQL, bank   others',
  )
  for (const [name, { best, median, cpu, foreign }] of Object.entries(sides)) {
    const numbers = [best.rate, median.rate, median.p50, median.p99].map((number) => short(number).padStart(9))
    const spent = ['node', 'postgres', 'bank'].map((part) => (cpu[part] === undefined ? '–' : cpu[part].toFixed(0)))
    const others = foreign === null ? '–' : `${(foreign * 100).toFixed(0)}%`
    print(`${name.padEnd(20)}${numbers.join(' ')}   ${spent.join(', ').padEnd(44)}   ${others}`)
  }
  print()
  print('row    median   best   floor   goal          what')
  for (const row of rows) {
    const numbers = [row.ratio, row.best].map((number) => short(number).padStart(7))
    const limits = [row.floor, row.goal].map((limit) => String(limit).padStart(6))
    print(`${row.id.padEnd(5)}${numbers.join('')}${limits.join(' ')}   ${standing(row).padEnd(8)}   ${row.what}`)
  }
  print()
  for (const row of rows) print(`${row.id.padEnd(5)}${bar(row)}`)
  print()
  print('Each bar: |, the floor; ▏, the goal. Ratios of medians; the sides took turns on one PostgreSQL.')
  if (discarded > 0) print(`${discarded} rounds were not counted: other work took more than a tenth of the machine.`)
}

const WIDTH = 60

/** On a scale on which the goal is two thirds of the width. */
function bar({ ratio, floor, goal, isLessBetter = false }) {
  const scale = (number) => Math.round((Math.min(1.5, number / Math.max(goal, floor)) * WIDTH) / 1.5)
  const cells = Array.from({ length: WIDTH }, (_, nth) => (nth < scale(ratio) ? '█' : ' '))
  cells[Math.min(WIDTH - 1, scale(floor))] = '|'
  cells[Math.min(WIDTH - 1, scale(goal))] = '▏'
  return `${cells.join('')} ${short(ratio)}${isLessBetter ? ' (less is better)' : ''}`
}
