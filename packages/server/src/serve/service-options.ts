// What both `kestrel serve` and the roles of production take from the settings for the service, so that no setting is for one alone.
import type { ServiceOptions } from '../compose.ts'
import type { Config } from '../config/config.ts'
import type { Secrets } from '../config/secrets.ts'
import { mailServer, mayReachThisMachine } from './dashboard-options.ts'

type FromSettings = Pick<
  ServiceOptions,
  'sweepMs' | 'activityMonths' | 'smtp' | 'operator' | 'outbound' | 'outboundRefuse'
>

export function optionsFromSettings(config: Config, secrets: Secrets): FromSettings {
  return {
    sweepMs: config.sweepMs,
    activityMonths: config.activityMonths,
    smtp: mailServer(config, secrets),
    operator: config.operator,
    outbound: { mayReachThisMachine: mayReachThisMachine(config) },
    outboundRefuse: config.outboundRefuse,
  }
}
