// What doctor finds once the database answers: about the database itself, the banks, and what they lack.
import type { Environment } from '@kestrel/contract'

import type { Config } from '../config/config.ts'
import { systemClock } from '../core/clock.ts'
import { counted } from '../core/words.ts'
import { listNotConnected, listNotOpen } from '../domain/banking/verification/live-standing.ts'
import type { Deps } from '../domain/deps.ts'
import { railOfBank } from '../rail/which-rail.ts'
import { type DatabaseFacts, NEEDED_ENCODING, readDatabaseFacts } from '../storage/database-facts.ts'
import { readDurability } from '../storage/durability.ts'
import { countWalletsElsewhere } from '../storage/wallets.ts'
import { durabilityFindings } from './durability-findings.ts'
import { type Finding, problem, reasonOf, warning, well } from './finding.ts'
import { tableFinding, watchFindings } from './watch-findings.ts'

const OLDEST_POSTGRES = 15
const LARGEST_CLOCK_DIFFERENCE_MS = 2_000

export async function databaseFindings(deps: Deps, config: Config): Promise<Finding[]> {
  const facts = await readDatabaseFacts(deps)
  return [
    versionFinding(facts),
    roleFinding(facts),
    ...durabilityFindings(await readDurability(deps.db)),
    clockFinding(facts),
    await bankFinding(deps, 'sandbox'),
    await bankFinding(deps, 'live'),
    await standingFinding(deps),
    ...(await connectingFindings(deps)),
    ...(await railFindings(deps)),
    mailFinding(deps, config),
    invoiceFinding(deps),
    tableFinding(config),
    ...(await watchFindings(deps, config)),
  ]
}

export function versionFinding({ majorVersion, version, encoding, isReadOnly }: DatabaseFacts): Finding {
  const detail = `PostgreSQL ${version}`
  if (majorVersion < OLDEST_POSTGRES) return problem('Database', `${detail}; ${OLDEST_POSTGRES} or newer is needed`)
  if (isReadOnly) {
    return problem(
      'Database',
      `${detail}, and it takes no writes: a standby, or set so by default_transaction_read_only`,
    )
  }
  if (encoding === NEEDED_ENCODING) return well('Database', detail)
  const todo = `restore it into a database that is encoded in ${NEEDED_ENCODING}`
  return problem('Database', `${detail}, encoded in ${encoding}, which does not hold everybody’s name: ${todo}`)
}

/** With a limited role, a mistake in one statement can neither change history nor reach beyond the database. */
function roleFinding({ isSuperuser, mayChangeHistory, mayMakeTables }: DatabaseFacts): Finding {
  if (!isSuperuser && !mayChangeHistory) {
    if (!mayMakeTables) return well('Database role', 'owns nothing and cannot change the ledger')
    const todo =
      'as the owner of the database, revoke temporary and create on it, and create on its schema, from public'
    return warning('Database role', `may make tables, which could hide ours: ${todo} (docs/operations.md)`)
  }
  const detail = isSuperuser ? 'is a superuser' : 'owns the tables and could change the ledger'
  return warning('Database role', `${detail}: give the owner’s address as MIGRATE_DATABASE_URL (docs/operations.md)`)
}

function clockFinding({ now }: DatabaseFacts): Finding {
  const skew = Math.abs(now.getTime() - systemClock.now().getTime())
  if (skew <= LARGEST_CLOCK_DIFFERENCE_MS) return well('Clock', 'agrees with the database')
  return problem('Clock', `differs from the database’s by ${Math.round(skew / 1_000)} s. Set both by NTP.`)
}

async function bankFinding(deps: Deps, environment: Environment): Promise<Finding> {
  const name = environment === 'live' ? 'Live bank' : 'Sandbox bank'
  if (deps.banks[environment] === null) {
    const detail =
      environment === 'live'
        ? 'none: live payouts are refused until BANK_LIVE_URL and BANK_LIVE_API_KEY are set'
        : 'none is running: payouts are simulated, or wait for it'
    return warning(name, detail)
  }
  try {
    const { rate } = await railOfBank(deps, environment).readRate()
    return well(name, `answers; a dollar is ${rate.text} pounds`)
  } catch (error) {
    return problem(name, `${reasonOf(error)} Check its address and its key (docs/operations.md).`)
  }
}

/**
 * A verified business expects to be able to pay, and can neither hold nor pay anything without a wallet at the bank.
 */
async function standingFinding(deps: Deps): Promise<Finding> {
  const waiting = await listNotOpen(deps)
  if (waiting.length === 0) return well('Verified', 'every verified business has its wallet at the live bank')
  const which = waiting.length === 1 ? `${waiting[0]} is` : `${waiting.join(', ')} are`
  return warning('Verified', `${which} verified without a wallet at the live bank; kestrel partner show says why`)
}

/** What the bank refuses is the operator's to settle with the bank: one line per wallet, with the bank's own words. */
async function connectingFindings(deps: Deps): Promise<Finding[]> {
  const troubles = await listNotConnected(deps)
  if (troubles.length === 0) return [well('Connecting', 'every wallet that could be at a bank is there')]
  return troubles.map(({ slug, environment, isHalf, trouble, tries, nextAt }) => {
    const what = isHalf ? 'has no account in pounds' : 'is not at the bank'
    const next = nextAt === null ? 'now' : `at ${nextAt.toISOString()}`
    const detail = `the ${environment} wallet of ${slug} ${what}: ${trouble.replace(/\.?$/, '.')} Tried ${tries} times, next ${next}. Ask the bank to switch on what it refuses (docs/operations.md).`
    return warning('Connecting', detail)
  })
}

/** After another bank has taken an environment's place. */
export async function railFindings({ db, bankRails }: Deps): Promise<Finding[]> {
  return (await countWalletsElsewhere(db, bankRails)).map(({ environment, rail, count }) => {
    const which = `${counted(count, `${environment} wallet`)} at the bank of ${rail}, and the environment’s is ${bankRails[environment]}`
    return problem(
      'Rails',
      `${which}: their deposits are not read and their books not compared. Configure that bank again.`,
    )
  })
}

/** Without mail nobody can sign in; the mailbox is for this machine alone. */
function mailFinding({ mailer, banks }: Deps, { databaseUrl }: Config): Finding {
  if (mailer !== null) return well('Mail', 'goes to the mail server of SMTP_URL')
  if (databaseUrl === null && banks.live === null) return well('Mail', 'stays in the mailbox: npx kestrel mailbox')
  return warning('Mail', 'nobody gets any, so nobody can sign in elsewhere: set SMTP_URL and MAIL_FROM')
}

/** What invoices lack matters from the first live payout on. */
function invoiceFinding({ operator, banks }: Deps): Finding {
  const missing = [
    ...(operator.address.length === 0 ? ['OPERATOR_ADDRESS'] : []),
    ...(operator.paymentDetails === null ? ['OPERATOR_PAYMENT_DETAILS'] : []),
  ]
  if (missing.length === 0) return well('Invoices', `are from ${operator.name}`)
  const detail = `do not say from where, or how to pay: set ${missing.join(' and ')}`
  return banks.live === null ? warning('Invoices', detail) : problem('Invoices', detail)
}
