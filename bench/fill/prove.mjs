// Whether filled books are right: every check of the books, and every sum that is kept.
export async function proveBooks(kestrel, url) {
  const db = kestrel.openDatabase({
    url,
    applicationName: 'bench',
    largestPool: 1,
    limits: { statementMs: 3_600_000 },
    onConnectionError: () => undefined,
  })
  try {
    const breaks = await kestrel.findBreaks(db)
    const sums = []
    await kestrel.auditRollups({ reports: db }, (wallet, found) => sums.push({ ...wallet, ...found }))
    const wrong = [...breaks, ...sums].map((each) => JSON.stringify(each))
    if (wrong.length > 0) throw new Error(`The books are wrong:\n  ${wrong.slice(0, 20).join('\n  ')}`)
  } finally {
    await db.close()
  }
}
