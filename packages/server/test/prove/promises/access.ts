import { type ServicePromise, inSources, inTests } from './promise.ts'

export const ACCESS: readonly ServicePromise[] = [
  {
    id: 'own-data-only',
    says: 'Nobody sees or moves what is another’s: not another business’s, not the other environment’s, not what their role forbids.',
    proofs: [
      inTests('edge/access-matrix'),
      inTests('edge/scopes'),
      inTests('storage/partner-filter'),
      inTests('http/payouts.get'),
      inTests('bank/refused-in-doubt', { tests: 'may not pay any more' }),
    ],
  },
  {
    id: 'codes',
    says: 'A code is judged five times at most and works once, however many guess at the same moment.',
    proofs: [inTests('races/sign-in'), inTests('http/sign-in'), inTests('http/payouts.confirm')],
  },
  {
    id: 'keys',
    says: 'There are at most five keys per environment, and a revoked key opens nothing, pays for nothing and is told nothing from the moment that is answered.',
    proofs: [
      inTests('races/key-limit'),
      inTests('races/revocation'),
      inTests('http/keys.assumed-callers'),
      inTests('http/stream', { tests: 'before it tells of anything more' }),
      inTests('races/team', { tests: 'keys' }),
    ],
  },
  {
    id: 'any-input',
    says: 'No request gives a 5xx, hangs or is answered in another shape than the documented one, whatever is in it.',
    proofs: [
      inTests('edge/any-input', { long: { FUZZ_RUNS: '2000' } }),
      inTests('edge/costly-text'),
      inTests('http/strict-json'),
      inTests('http/errors'),
      inTests('http/errors.socket'),
    ],
  },
  {
    id: 'nothing-in-logs',
    says: 'Bank details and secrets are in no log, no error and no table in the clear, and no secret can be read back.',
    proofs: [
      inTests('after/canaries'),
      inTests('http/request-bodies'),
      inSources('http/masking/mask'),
      inTests('bank/recipients-at-bank', { tests: 'bank details' }),
    ],
  },
]
