import { useNavigate } from '@tanstack/react-router'

import { chooseTheme } from '../app/preferences.ts'
import { useIsAdmin, useScope } from '../app/session.ts'
import { useCanPay } from '../app/use-can-pay.ts'
import type { IconName } from '../parts/icon-paths.ts'
import { startDownload } from '../parts/start-download.ts'
import { exportAddress } from '../server/payouts.ts'
import { inEnvironment } from './navigation.ts'

interface CommandOffered {
  readonly label: string
  readonly icon: IconName
  readonly run: () => void
}

/** What this person can do from anywhere. */
export function useCommands(): readonly CommandOffered[] {
  const scope = useScope()
  const isAdmin = useIsAdmin()
  const canPay = useCanPay()
  const navigate = useNavigate()
  const other = scope.environment === 'live' ? 'sandbox' : 'live'
  const toPay = [{ label: 'New payout', icon: 'plus', run: () => void navigate({ to: '/payouts/new' }) }] as const
  const forAdmins = [
    { label: 'Create an API key', icon: 'keys', run: () => void navigate({ to: '/keys', search: { create: 'yes' } }) },
    { label: 'Invite somebody', icon: 'team', run: () => void navigate({ to: '/team', search: { invite: 'yes' } }) },
  ] as const
  return [
    ...(canPay ? toPay : []),
    ...(isAdmin ? forAdmins : []),
    { label: 'Top up the wallet', icon: 'funding', run: () => void navigate({ to: '/funding' }) },
    {
      label: 'Export payouts (CSV)',
      icon: 'download',
      run: () => startDownload(exportAddress(scope.environment, {})),
    },
    {
      label: `Switch to ${other}`,
      icon: 'flask',
      run: () => void navigate({ to: '.', search: inEnvironment(other) }),
    },
    { label: 'Dark appearance', icon: 'moon', run: () => chooseTheme('dark') },
    { label: 'Light appearance', icon: 'sun', run: () => chooseTheme('light') },
    { label: 'API documentation', icon: 'book', run: () => window.open('/docs', '_blank', 'noopener') },
  ]
}
