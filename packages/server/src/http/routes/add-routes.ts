// Every route for partners and for the dashboard.
import { addConfirmCodeRoute } from './confirm-code.ts'
import { addAccountRoutes } from './account.ts'
import { addAuditLogRoutes } from './audit-log.ts'
import { addBankRoutes } from './bank.ts'
import { addBillingRoutes } from './billing.ts'
import { addEventRoutes } from './events.ts'
import { addInvoiceRoutes } from './invoices.ts'
import { addInvitationRoutes } from './invitations.ts'
import { addKeyRoutes } from './keys.ts'
import { addDashboardPages } from './dashboard-pages.ts'
import { addLogoRoute } from './logo.ts'
import { addMailboxRoutes } from './mailbox.ts'
import { addMemberRoutes } from './members.ts'
import { addPayoutExportRoute } from './payout-export.ts'
import { addPayoutFigureRoutes } from './payout-figures.ts'
import { addPayoutPauseRoutes } from './payout-pause.ts'
import { addPayoutReceiptRoute } from './payout-receipt.ts'
import { addReceiptCheckRoutes } from './receipt-check.ts'
import { addPayoutTimelineRoute } from './payout-timeline.ts'
import { addPayoutRoutes } from './payouts.ts'
import { addSessionRoutes } from './session.ts'
import { addSignInRoutes } from './sign-in.ts'
import { addStatementRoutes } from './statement.ts'
import { addQuoteRoutes } from './quotes.ts'
import { addDoorCodeRoute } from './door-codes.ts'
import { addDiscoveryRoutes } from './discovery.ts'
import { addSandboxInvoiceRoutes } from './sandbox-invoice.ts'
import { addSandboxRoutes } from './sandbox.ts'
import { addSettingsRoutes } from './settings.ts'
import { addWebhookDeliveryRoutes } from './webhook-deliveries.ts'
import { addWebhookEndpointRoutes } from './webhook-endpoints.ts'
import { addStreamRoute } from './stream.ts'
import type { RouteContext } from './route-context.ts'

export async function addRoutes(context: RouteContext): Promise<void> {
  addDiscoveryRoutes(context)
  addLogoRoute(context)
  addAuditLogRoutes(context)
  addAccountRoutes(context)
  addQuoteRoutes(context)
  addPayoutFigureRoutes(context)
  addPayoutExportRoute(context)
  addPayoutRoutes(context)
  addPayoutPauseRoutes(context)
  addConfirmCodeRoute(context)
  addDoorCodeRoute(context)
  addPayoutTimelineRoute(context)
  addPayoutReceiptRoute(context)
  addReceiptCheckRoutes(context)
  addEventRoutes(context)
  addStreamRoute(context)
  addBillingRoutes(context)
  addInvoiceRoutes(context)
  addStatementRoutes(context)
  addKeyRoutes(context)
  addWebhookEndpointRoutes(context)
  addWebhookDeliveryRoutes(context)
  addMemberRoutes(context)
  addInvitationRoutes(context)
  await addBankRoutes(context)
  await addSettingsRoutes(context)
  addSandboxRoutes(context)
  addSandboxInvoiceRoutes(context)
  addSignInRoutes(context)
  addSessionRoutes(context)
  addMailboxRoutes(context)
  await addDashboardPages(context)
}
