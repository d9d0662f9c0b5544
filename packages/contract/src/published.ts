// Every schema that is published under its name, for validators, serialisers and the OpenAPI document.
import { Account } from './account.ts'
import { ActivityDetail, ActivityEntry, ActivityList } from './activity.ts'
import { ApiKey, ApiKeyCreated, ApiKeyList, ApiKeyRevoked, KeyChange, KeyRotation, NewApiKey } from './api-key.ts'
import { AuditHead, AuditHeadList, AuditLink, AuditLog, SigningKey, SigningKeyList } from './audit-log.ts'
import { Balance } from './balance.ts'
import { Compliance } from './compliance.ts'
import { DoorCodeRequest, DoorCodeSent } from './confirm-code.ts'
import { Discovery } from './discovery.ts'
import { ErrorBody } from './errors.ts'
import { Event, EventList } from './event.ts'
import { Funding } from './funding.ts'
import { GoLive, GoLiveStep } from './go-live.ts'
import { Invitation, InvitationDeclined, InvitationList, InvitationWithdrawn } from './invitation.ts'
import { Invoice, InvoiceList, InvoicedPayout, InvoicedPayoutList } from './invoice.ts'
import {
  ConfirmCodeRequest,
  ConfirmCodeSent,
  CreatePayoutRequest,
  Payout,
  PayoutCreated,
  PayoutList,
} from './payout.ts'
import { PayoutDay, PayoutDayList, PayoutSummary } from './payout-figures.ts'
import { PayoutPause } from './payout-pause.ts'
import { PayoutEvent, PayoutTimeline } from './payout-timeline.ts'
import { PayoutWarning } from './payout-warning.ts'
import { PublicPartner } from './public-partner.ts'
import { Quote, QuoteRecipient, QuoteRequest } from './quote.ts'
import { ReceiptCheck } from './receipt.ts'
import { Recipient, RecipientList, RecipientSummary } from './recipient.ts'
import { Member, MemberChange, MemberList, MemberRemoved, NewMember } from './member.ts'
import { OwnSession, OwnSessionList, Session, SessionChange, SessionRevoked, SignedOut } from './session.ts'
import { AuthOptions, CodeRequest, CodeSent, SessionRequest, SignUpRequest } from './sign-in.ts'
import {
  AdvanceRequest,
  Advanced,
  RehearsalInvoice,
  SandboxReset,
  SimulateRequest,
  TopUp,
  TopUpRequest,
} from './sandbox.ts'
import { ChangeSettingsRequest, Settings } from './settings.ts'
import { Statement } from './statement.ts'
import { Usage } from './usage.ts'

import {
  Redelivery,
  WebhookAttempt,
  WebhookDeliveriesMade,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookDeliveryWithAttempts,
  WebhookReplay,
  WebhookReplayStarted,
  WebhookTest,
  WebhookTestResult,
} from './webhook-delivery.ts'
import {
  NewWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointDeleted,
  WebhookEndpointList,
  WebhookEndpointWithSecret,
  WebhookKey,
  WebhookKeyList,
  WebhookSecretRotation,
} from './webhook-endpoint.ts'

export const PUBLISHED_SCHEMAS = [
  Account,
  ActivityDetail,
  ActivityEntry,
  ActivityList,
  AdvanceRequest,
  Advanced,
  RehearsalInvoice,
  SandboxReset,
  ApiKey,
  ApiKeyCreated,
  ApiKeyList,
  ApiKeyRevoked,
  AuditHead,
  AuditHeadList,
  AuditLink,
  AuditLog,
  AuthOptions,
  Balance,
  CodeRequest,
  CodeSent,
  ChangeSettingsRequest,
  Compliance,
  ConfirmCodeRequest,
  ConfirmCodeSent,
  CreatePayoutRequest,
  Discovery,
  DoorCodeRequest,
  DoorCodeSent,
  ErrorBody,
  SigningKey,
  SigningKeyList,
  Event,
  EventList,
  Funding,
  GoLive,
  GoLiveStep,
  Invitation,
  InvitationDeclined,
  InvitationList,
  InvitationWithdrawn,
  Invoice,
  InvoiceList,
  InvoicedPayout,
  InvoicedPayoutList,
  KeyChange,
  KeyRotation,
  Member,
  MemberChange,
  MemberList,
  MemberRemoved,
  NewApiKey,
  NewMember,
  OwnSession,
  OwnSessionList,
  Payout,
  PayoutCreated,
  PayoutDay,
  PayoutDayList,
  PayoutEvent,
  PayoutList,
  PayoutPause,
  PayoutSummary,
  PayoutTimeline,
  PayoutWarning,
  PublicPartner,
  Quote,
  QuoteRecipient,
  QuoteRequest,
  ReceiptCheck,
  Recipient,
  RecipientList,
  RecipientSummary,
  Session,
  SessionChange,
  SessionRequest,
  SessionRevoked,
  SignUpRequest,
  SignedOut,
  Settings,
  SimulateRequest,
  TopUp,
  TopUpRequest,
  Statement,
  Usage,
  NewWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointDeleted,
  WebhookEndpointList,
  WebhookEndpointWithSecret,
  WebhookKey,
  WebhookKeyList,
  WebhookSecretRotation,
  Redelivery,
  WebhookAttempt,
  WebhookDeliveriesMade,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookDeliveryWithAttempts,
  WebhookReplay,
  WebhookReplayStarted,
  WebhookTest,
  WebhookTestResult,
] as const
