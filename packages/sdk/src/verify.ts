// `@kestrel/sdk/verify`: what verifies the service itself, apart from what calls it, because few programs need both.
export { type ExportedLog, type LogVerdict, type VerifyLogOptions, verifyAuditLog } from './audit-log.ts'
export { type ReceiptVerdict, verifyReceipt } from './receipt.ts'
export type { SigningKeys } from './is-signed.ts'
