export { Kestrel, type KestrelOptions } from './kestrel.ts'
export {
  ApiError,
  type AnyErrorCode,
  ConnectionError,
  KestrelError,
  OutcomeUnknownError,
  StillUnderWayError,
  UsageError,
  WebhookVerificationError,
} from './errors.ts'
export { type ExactMoney, type Gbp, type Money, type Usdc, gbp, hundredths, usdc } from './money.ts'
export type { Page, Pages, PageQuery } from './pages.ts'
export { type VerifyOptions, type WebhookHeaders, verifyWebhook } from './webhooks.ts'
export { VERSION, type ErrorCode, type ErrorDetails } from './generated/error-codes.ts'
export type * from './generated/types.ts'
export type { Operations } from './generated/operations.ts'
export type { CallOptions } from './transport.ts'
export type { CreatePayoutOptions, PayoutQuery } from './resources/payouts.ts'
export type { WaitOptions } from './wait-until-final.ts'
export type { ListenOptions } from './resources/events.ts'
export type { StreamMessage } from './event-stream.ts'
