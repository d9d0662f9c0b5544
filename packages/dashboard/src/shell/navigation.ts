import type { Environment } from '@kestrel/contract'

import type { IconName } from '../parts/icon-paths.ts'

interface Group {
  readonly group: string
  readonly items: readonly {
    readonly to: string
    readonly label: string
    readonly icon: IconName
    readonly letter: string
  }[]
}

export const NAVIGATION = [
  {
    group: 'Money',
    items: [
      { to: '/', label: 'Overview', icon: 'home', letter: 'o' },
      { to: '/payouts', label: 'Payouts', icon: 'payouts', letter: 'p' },
      { to: '/recipients', label: 'Recipients', icon: 'recipients', letter: 'r' },
      { to: '/funding', label: 'Funding', icon: 'funding', letter: 'f' },
    ],
  },
  {
    group: 'Billing',
    items: [
      { to: '/fees', label: 'Fees & usage', icon: 'usage', letter: 'u' },
      { to: '/invoices', label: 'Invoices', icon: 'invoices', letter: 'i' },
      { to: '/statement', label: 'Statement', icon: 'wallet', letter: 'm' },
    ],
  },
  {
    group: 'Developers',
    items: [
      { to: '/keys', label: 'API keys', icon: 'keys', letter: 'k' },
      { to: '/webhooks', label: 'Webhooks', icon: 'webhooks', letter: 'w' },
      { to: '/logs', label: 'Request logs', icon: 'logs', letter: 'l' },
    ],
  },
  {
    group: 'Account',
    items: [
      { to: '/team', label: 'Team', icon: 'team', letter: 't' },
      { to: '/audit', label: 'Audit log', icon: 'audit', letter: 'a' },
      { to: '/compliance', label: 'Compliance', icon: 'compliance', letter: 'c' },
      { to: '/settings', label: 'Settings', icon: 'settings', letter: 's' },
    ],
  },
] as const satisfies readonly Group[]

type Item = (typeof NAVIGATION)[number]['items'][number]

export const PAGES: readonly Item[] = NAVIGATION.flatMap(({ items }): readonly Item[] => items)

/** The same page in the other environment. What is open beside a list belongs to one of them and does not follow. */
export const inEnvironment =
  (environment: Environment) =>
  <Search extends object>(current: Search) => ({ ...current, environment, open: undefined })
