// What a further payout adds to the disk: all tables and indexes before and after as many payouts as a round has. The first
// payouts leave room behind that later ones use again (of rows that come and go while a payout is followed), and an empty
// database has a size too; neither grows with the payouts, so neither is counted.

/** Bytes of all tables and indexes, once PostgreSQL has found the room that is free, as it does by itself within minutes. */
async function bytesOf(postgres, database) {
  await postgres.query(database, 'vacuum')
  // What the first has emptied in an index is free for others from the second on: that no reader is on its way to it any more.
  await postgres.query(database, 'vacuum')
  const [{ bytes }] = await postgres.query(
    database,
    `select sum(pg_total_relation_size(c.oid))::float8 as bytes from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  )
  return bytes
}

/** The log is written after the answer, and linked after that. */
async function untilLogged(postgres, database, created) {
  for (;;) {
    const [{ linked }] = await postgres.query(
      database,
      `select count(*)::int as linked from activity_links l join activity a using (partner_id, at, id)
        where a.action = 'payout.create'`,
    )
    if (linked >= created) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

export const disk = {
  house: 'simulated',
  isOnce: true,
  round: async (bench, opened) => {
    const { postgres } = bench
    const createSome = async () => {
      const load = await opened.create({ connections: 64, count: bench.countFor('simulated') })
      await opened.atRest()
      const [{ created }] = await postgres.query(opened.name, 'select count(*)::int as created from payouts')
      await untilLogged(postgres, opened.name, created)
      return load
    }
    await createSome()
    const before = await bytesOf(postgres, opened.name)
    const load = await createSome()
    const bytes = ((await bytesOf(postgres, opened.name)) - before) / load.count
    return { rate: load.count / load.seconds, count: load.count, p50: load.p50, p99: load.p99, bytes }
  },
}
