// Which secrets this database was set up with. A process with others could read no recipient and recognise no
// repeated request, so it must not start.
import { type Tx, statement } from './sql.ts'

const CLAIM = statement(
  'claim_installation',
  `insert into installation (secrets_check, created_at) values ($1, $2) on conflict (only_row) do nothing`,
)
const READ = statement('read_installation', 'select secrets_check as "secretsCheck" from installation')

/** Binds a new database to these secrets; false when it is bound to others. */
export async function bindSecrets(tx: Tx, secretsCheck: Buffer, at: Date): Promise<boolean> {
  await tx.query(CLAIM, [secretsCheck, at])
  const [row] = await tx.query<{ secretsCheck: Buffer }>(READ)
  return row?.secretsCheck.equals(secretsCheck) === true
}
