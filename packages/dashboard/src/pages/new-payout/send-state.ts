// Where the sending of one payout stands: five states, and what each makes of an event. Pure; use-send.ts does what a
// new state asks for. An event that a state does not know changes nothing: that is what makes a second click harmless.
import type { ConfirmCodeSent, CreatePayoutRequest } from '@kestrel/contract'

import { ApiError } from '../../server/client.ts'
import type { SendOutcome } from './send-outcome.ts'

export interface Order {
  readonly body: CreatePayoutRequest
  /** What the summary said the wallet would send. */
  readonly quotedUsdc: string
}

/** What the dialog for the code shows. */
export interface OpenDialog {
  readonly mail: ConfirmCodeSent
  /** Why the code that was typed was not taken. */
  readonly codeError: ApiError | null
  /** Why no other code could be sent. The one before still works. */
  readonly askError: Error | null
}

/** What the form shows. What is wrong with a code is shown in the dialog. */
export type ShownOutcome = Exclude<SendOutcome, { kind: 'code' }>

interface Resting {
  readonly name: 'resting'
  /** What became of the last try, while it is worth showing. */
  readonly outcome: ShownOutcome | null
}

/** A code is being asked for: the first one, or another while the dialog is open. */
interface Asking {
  readonly name: 'asking'
  readonly order: Order
  readonly dialog: OpenDialog | null
}

/** The dialog waits for the code. */
interface Confirming {
  readonly name: 'confirming'
  readonly order: Order
  readonly dialog: OpenDialog
}

/** The request for the payout has left the browser. */
interface Paying {
  readonly name: 'paying'
  readonly order: Order
  readonly code: string | null
  readonly dialog: OpenDialog | null
}

/** The payout exists, and the page is about to show it. This form sends nothing more. */
interface Created {
  readonly name: 'created'
  readonly dialog: OpenDialog | null
}

export type SendState = (Resting | Asking | Confirming | Paying | Created) & {
  /**
   * The last code that was used and not refused. The server ties a right code to the form's idempotency key, so a second
   * try of the same order carries the same code.
   */
  readonly confirmed: { readonly order: Order; readonly code: string } | null
}

export type SendEvent =
  | { readonly type: 'send'; readonly order: Order; readonly needsCode: boolean }
  /** Somebody goes back to change the details. */
  | { readonly type: 'change' }
  /** The form itself has shown what was refused. */
  | { readonly type: 'shown in the form' }
  | { readonly type: 'code'; readonly code: string }
  | { readonly type: 'resend' }
  | { readonly type: 'close' }
  /** The two answers to "send me a code" say for which order it was asked. */
  | { readonly type: 'mailed'; readonly order: Order; readonly mail: ConfirmCodeSent }
  | { readonly type: 'not mailed'; readonly order: Order; readonly error: Error }
  /** The two answers to "send this payout". */
  | { readonly type: 'created' }
  | { readonly type: 'not created'; readonly outcome: SendOutcome }

export const AT_REST: SendState = { name: 'resting', outcome: null, confirmed: null }

/** A code that could not be asked for has moved nothing. */
const NOT_SENT: ShownOutcome = { kind: 'not_sent', requestId: null }

export function nextState(state: SendState, event: SendEvent): SendState {
  switch (state.name) {
    case 'resting':
      return afterRest(state, event)
    case 'asking':
      return afterAsking(state, event)
    case 'confirming':
      return afterDialog(state, event)
    case 'paying':
      return afterPaying(state, event)
    case 'created':
      return state
  }
}

type In<Name extends SendState['name']> = Extract<SendState, { name: Name }>

function afterRest(state: In<'resting'>, event: SendEvent): SendState {
  const { outcome, confirmed } = state
  if (event.type === 'send') {
    const { order, needsCode } = event
    if (!needsCode) return { name: 'paying', order, code: null, dialog: null, confirmed }
    if (confirmed === null || !isSame(confirmed.order, order)) return { name: 'asking', order, dialog: null, confirmed }
    return { name: 'paying', order, code: confirmed.code, dialog: null, confirmed }
  }
  // Whether money has moved stays in view, whatever is changed now.
  const mayHaveMoved = outcome?.kind === 'unknown' || outcome?.kind === 'reused'
  const isOver = (event.type === 'change' && !mayHaveMoved) || event.type === 'shown in the form'
  return isOver ? { ...state, outcome: null } : state
}

function afterAsking(state: In<'asking'>, event: SendEvent): SendState {
  const { order, dialog, confirmed } = state
  if (event.type === 'close' && dialog !== null) return { name: 'resting', outcome: null, confirmed }
  // An answer to a question that was given up is not about this order.
  if ((event.type !== 'mailed' && event.type !== 'not mailed') || event.order !== order) return state
  if (event.type === 'mailed') {
    return { name: 'confirming', order, dialog: { mail: event.mail, codeError: null, askError: null }, confirmed }
  }
  const { error } = event
  if (dialog !== null) return { name: 'confirming', order, dialog: { ...dialog, askError: error }, confirmed }
  return { name: 'resting', outcome: error instanceof ApiError ? { kind: 'refused', error } : NOT_SENT, confirmed }
}

function afterDialog(state: In<'confirming'>, event: SendEvent): SendState {
  const { order, dialog, confirmed } = state
  if (event.type === 'code') {
    const { code } = event
    return { name: 'paying', order, code, dialog: { ...dialog, codeError: null }, confirmed: { order, code } }
  }
  // The dialog stays open: until there is a new code, the old one works.
  if (event.type === 'resend') return { name: 'asking', order, dialog: { ...dialog, askError: null }, confirmed }
  return event.type === 'close' ? { name: 'resting', outcome: null, confirmed } : state
}

/** The dialog cannot be closed now: nobody would learn what became of the payout. */
function afterPaying(state: In<'paying'>, event: SendEvent): SendState {
  const { order, dialog, confirmed } = state
  if (event.type === 'created') return { name: 'created', dialog, confirmed }
  if (event.type !== 'not created') return state
  const { outcome } = event
  if (outcome.kind !== 'code') return { name: 'resting', outcome, confirmed }
  if (dialog === null) return { name: 'asking', order, dialog: null, confirmed: null }
  return { name: 'confirming', order, dialog: { ...dialog, codeError: outcome.error }, confirmed: null }
}

const isSame = (one: Order, other: Order) => JSON.stringify(one.body) === JSON.stringify(other.body)
