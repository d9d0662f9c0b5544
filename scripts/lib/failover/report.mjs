// What a run found, for people.
const WORDS = {
  kill: 'killed (kill -9)',
  switch: 'switched over',
  cut: 'cut off from everybody',
  split: 'cut off from its cluster',
}

export function faultLine(nth, of, fault) {
  const place = `${String(nth).padStart(String(of).length)}/${of}`
  return `  ${place}  ${WORDS[fault.kind].padEnd(26)} ${fault.from} → ${fault.to}   first payout after ${fault.paidSeconds} s`
}

export function report({ seed, faults, found, violations, versions }) {
  const kinds = Object.keys(WORDS).filter((kind) => faults.some((fault) => fault.kind === kind))
  const rows = kinds.map((kind) =>
    row(
      WORDS[kind],
      faults.filter((fault) => fault.kind === kind),
    ),
  )
  const head = ['primary', 'times', 'new primary', 'first 201', 'longest silence', 'all three back', 'asked again']
  const refused = faults.reduce((sum, fault) => sum + fault.refused, 0)
  return `
${table([head, ...rows, row('all', faults)])}

Seconds from the fault: the median, and the longest. ${versions.postgres}, ${versions.patroni}.
${found.acknowledged} payouts acknowledged, ${found.transfers} transfers at the bank, ${refused} requests asked again.
lost: ${found.lost.length}; paid twice: ${found.paidTwice.length}; paid without a payout: ${found.paidForNothing.length}; not paid: ${found.notPaid.length}; processes that ended: ${found.ended.length}; the books are ${found.books}.
seed ${seed}: ${violations.length === 0 ? 'no promise was broken' : `BROKEN: ${violations.join(', ')}`}
`
}

function row(name, faults) {
  const of = (field) => {
    const values = faults.map((fault) => fault[field]).toSorted((one, other) => one - other)
    return `${values[Math.floor((values.length - 1) / 2)]} / ${values.at(-1)}`
  }
  return [
    name,
    String(faults.length),
    of('promotedSeconds'),
    of('paidSeconds'),
    of('silenceSeconds'),
    of('wholeSeconds'),
    String(faults.reduce((sum, fault) => sum + fault.refused, 0)),
  ]
}

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((cells) => cells[column].length)))
  return rows.map((cells) => `  ${cells.map((cell, nth) => cell.padEnd(widths[nth])).join('  ')}`.trimEnd()).join('\n')
}
