// Doctor's findings about what the database keeps: after a power cut, on a disk that fails, and after a failover.
import { counted } from '../core/words.ts'
import { type Durability, losingSettings } from '../storage/durability.ts'
import { type Finding, problem, warning, well } from './finding.ts'

export function durabilityFindings(durability: Durability): Finding[] {
  return [durabilityFinding(durability), checksumFinding(durability), ...standbyFindings(durability)]
}

function durabilityFinding(durability: Durability): Finding {
  const losing = losingSettings(durability)
  if (losing.length === 0) return well('Durability', 'acknowledged payouts survive a power cut')
  const pooler = losing.includes('synchronous_commit')
    ? '. The service asks for synchronous_commit itself: a pooler before the database has dropped it (docs/operations.md)'
    : ''
  const which = losing.length === 1 ? `${losing[0]} is` : `${losing.join(', ')} are`
  return problem('Durability', `${which} not on: a power cut loses acknowledged payouts${pooler}`)
}

function checksumFinding({ checksums }: Durability): Finding {
  if (checksums === 'on') return well('Checksums', 'a page that the disk has changed is noticed')
  return warning(
    'Checksums',
    'are off: what a failing disk changes is not noticed. With the server stopped: pg_checksums --enable',
  )
}

/** Only where there are any, or should be: a single server has nothing to fail over to. */
function standbyFindings({ standbys, synchronousStandbyNames: names }: Durability): Finding[] {
  const name = 'Standbys'
  if (names === '' && standbys === 0) return []
  const followers = `${counted(standbys, 'server')} follow${standbys === 1 ? 's' : ''}`
  if (names === '') {
    const cure =
      'a failover may lose acknowledged payouts: set synchronous_standby_names, or Patroni’s synchronous_mode'
    return [warning(name, `${followers}, none synchronously; ${cure} (docs/failover.md)`)]
  }
  if (standbys === 0) return [problem(name, `none is connected, and every write waits for one (${names})`)]
  return [well(name, `${followers}; what is acknowledged is on a standby, too`)]
}
