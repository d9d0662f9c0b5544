/** The business that runs the service, as invoices name it. */
export interface Operator {
  readonly name: string
  readonly address: readonly string[]
  readonly email: string | null
  readonly vatNumber: string | null
  /** How invoices are paid: the operator's own bank details, as text. */
  readonly paymentDetails: string | null
  /** A line at the foot of every invoice, such as one about VAT. */
  readonly note: string | null
}

export const UNNAMED_OPERATOR: Operator = {
  name: 'Kestrel Payouts',
  address: [],
  email: null,
  vatNumber: null,
  paymentDetails: null,
  note: null,
}
