// Every page and its address. What a list shows is in the address too, so a link is a view.
import { createRootRoute, createRoute, createRouter, Outlet, retainSearchParams } from '@tanstack/react-router'

import { NotFound, PageFailed } from './shell/lost.tsx'
import { Toasts } from './parts/toasts.tsx'
import { Announcer } from './shell/announcer.tsx'
import { lazyPage } from './shell/lazy-page.tsx'
import { UpdateReady } from './shell/update-ready.tsx'

/** Every parameter is text and may be absent; each page reads the ones it knows. */
function only<Name extends string>(...names: readonly Name[]) {
  return (search: Record<string, unknown>): { [Known in Name]?: string | undefined } => {
    const known = names.filter((name) => typeof search[name] === 'string' && search[name] !== '')
    return Object.fromEntries(known.map((name) => [name, search[name]])) as { [Known in Name]?: string }
  }
}

const root = createRootRoute({
  validateSearch: only('environment'),
  search: { middlewares: [retainSearchParams<{ environment?: string | undefined }>(['environment'])] },
  component: () => (
    <>
      <Outlet />
      <Toasts />
      <Announcer />
      <UpdateReady />
    </>
  ),
  notFoundComponent: NotFound,
})

const inside = createRoute({
  id: 'inside',
  getParentRoute: () => root,
  component: lazyPage(() => import('./shell/gate.tsx'), 'Gate'),
})

const overview = createRoute({
  path: '/',
  getParentRoute: () => inside,
  component: lazyPage(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
})

const payouts = createRoute({
  path: '/payouts',
  getParentRoute: () => inside,
  validateSearch: only(
    ...(['q', 'status', 'from', 'to', 'min', 'max', 'via', 'why', 'open'] as const),
    ...(['completed_from', 'completed_to', 'ended_from', 'ended_to'] as const),
  ),
  component: lazyPage(() => import('./pages/payouts/payouts-page.tsx'), 'PayoutsPage'),
})

const newPayout = createRoute({
  path: '/payouts/new',
  getParentRoute: () => inside,
  validateSearch: only('name', 'last4', 'amount', 'reference'),
  component: lazyPage(() => import('./pages/new-payout/new-payout-page.tsx'), 'NewPayoutPage'),
})

const payout = createRoute({
  path: '/payouts/$id',
  getParentRoute: () => inside,
  component: lazyPage(() => import('./pages/payout/payout-page.tsx'), 'PayoutPage'),
})

const recipients = createRoute({
  path: '/recipients',
  getParentRoute: () => inside,
  validateSearch: only('q'),
  component: lazyPage(() => import('./pages/recipients/recipients-page.tsx'), 'RecipientsPage'),
})

const funding = createRoute({
  path: '/funding',
  getParentRoute: () => inside,
  component: lazyPage(() => import('./pages/funding/funding-page.tsx'), 'FundingPage'),
})

const fees = createRoute({
  path: '/fees',
  getParentRoute: () => inside,
  validateSearch: only('month'),
  component: lazyPage(() => import('./pages/fees/fees-page.tsx'), 'FeesPage'),
})

const invoices = createRoute({
  path: '/invoices',
  getParentRoute: () => inside,
  validateSearch: only('month'),
  component: lazyPage(() => import('./pages/invoices/invoices-page.tsx'), 'InvoicesPage'),
})

const invoice = createRoute({
  path: '/invoices/$id',
  getParentRoute: () => inside,
  validateSearch: only('line', 'preview'),
  component: lazyPage(() => import('./pages/invoice/invoice-page.tsx'), 'InvoicePage'),
})

const statement = createRoute({
  path: '/statement',
  getParentRoute: () => inside,
  validateSearch: only('from', 'to'),
  component: lazyPage(() => import('./pages/statement/statement-page.tsx'), 'StatementPage'),
})

const keys = createRoute({
  path: '/keys',
  getParentRoute: () => inside,
  validateSearch: only('create'),
  component: lazyPage(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
})

const webhooks = createRoute({
  path: '/webhooks',
  getParentRoute: () => inside,
  validateSearch: only('create'),
  component: lazyPage(() => import('./pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

const webhook = createRoute({
  path: '/webhooks/$id',
  getParentRoute: () => inside,
  validateSearch: only('state', 'type'),
  component: lazyPage(() => import('./pages/webhook/webhook-page.tsx'), 'WebhookPage'),
})

const delivery = createRoute({
  path: '/webhooks/deliveries/$id',
  getParentRoute: () => inside,
  component: lazyPage(() => import('./pages/delivery/delivery-page.tsx'), 'DeliveryPage'),
})

const logs = createRoute({
  path: '/logs',
  getParentRoute: () => inside,
  validateSearch: only('class', 'from', 'open', 'q'),
  component: lazyPage(() => import('./pages/logs/logs-page.tsx'), 'LogsPage'),
})

const team = createRoute({
  path: '/team',
  getParentRoute: () => inside,
  validateSearch: only('invite'),
  component: lazyPage(() => import('./pages/team/team-page.tsx'), 'TeamPage'),
})

const auditLog = createRoute({
  path: '/audit',
  getParentRoute: () => inside,
  validateSearch: only('by', 'what', 'from', 'to'),
  component: lazyPage(() => import('./pages/audit-log/audit-log-page.tsx'), 'AuditLogPage'),
})

const compliance = createRoute({
  path: '/compliance',
  getParentRoute: () => inside,
  component: lazyPage(() => import('./pages/compliance/compliance-page.tsx'), 'CompliancePage'),
})

const settings = createRoute({
  path: '/settings',
  getParentRoute: () => inside,
  component: lazyPage(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
})

const signIn = createRoute({
  path: '/sign-in',
  getParentRoute: () => root,
  validateSearch: only('next', 'ended', 'business'),
  component: lazyPage(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
})

const signUp = createRoute({
  path: '/sign-up',
  getParentRoute: () => root,
  component: lazyPage(() => import('./pages/sign-up/sign-up-page.tsx'), 'SignUpPage'),
})

const choose = createRoute({
  path: '/choose',
  getParentRoute: () => root,
  validateSearch: only('next'),
  component: lazyPage(() => import('./pages/choose/choose-page.tsx'), 'ChoosePage'),
})

const ofBusiness = createRoute({
  path: '/$slug',
  getParentRoute: () => root,
  component: lazyPage(() => import('./pages/sign-in/business-sign-in-page.tsx'), 'BusinessSignInPage'),
})

const tree = root.addChildren([
  inside.addChildren([
    overview,
    payouts,
    newPayout,
    payout,
    recipients,
    funding,
    fees,
    invoices,
    invoice,
    statement,
    keys,
    webhooks,
    webhook,
    delivery,
    logs,
    team,
    auditLog,
    compliance,
    settings,
  ]),
  signIn,
  signUp,
  choose,
  ofBusiness,
])

export const router = createRouter({
  routeTree: tree,
  basepath: '/dashboard',
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailed,
  scrollRestoration: true,
  // Plain text both ways: a search for "1234" stays the text it was typed as.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const known = Object.entries(search).filter(([, value]) => typeof value === 'string' && value !== '')
    const text = new URLSearchParams(known as [string, string][]).toString()
    return text === '' ? '' : `?${text}`
  },
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
