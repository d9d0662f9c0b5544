// The secrets of this database's first start, as a check value.
import { type Tx, statement } from './sql.ts'

const CLAIM = statement(
  'claim_installation',
  `insert into installation (secrets_check, created_at) values ($1, $2) on conflict (only_row) do nothing`,
)
const READ = statement('read_installation', 'select secrets_check as "secretsCheck" from installation')

/** Stores the check value in a new database. Returns the stored one. */
export async function claimInstallation(tx: Tx, secretsCheck: Buffer, at: Date): Promise<Buffer> {
  await tx.query(CLAIM, [secretsCheck, at])
  const [row] = await tx.query<{ secretsCheck: Buffer }>(READ)
  return row!.secretsCheck
}
