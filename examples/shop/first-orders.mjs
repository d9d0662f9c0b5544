// What the shop begins with. A real shop has this in its database.

const address = { line1: '1 High Street', city: 'Leeds', postal_code: 'LS1 4AP' }

export const SELLERS = [
  {
    id: 'amara',
    recipient: {
      first_name: 'Amara',
      last_name: 'Okafor',
      address,
      bank: { bank_name: 'Monzo', sort_code: '040004', account_number: '12345678' },
    },
  },
  {
    id: 'tom',
    recipient: {
      first_name: 'Tom',
      last_name: 'Ellis',
      address,
      bank: { bank_name: 'Starling', sort_code: '608371', account_number: '22334455' },
    },
  },
  {
    id: 'priya',
    recipient: {
      first_name: 'Priya',
      last_name: 'Nair',
      address,
      bank: { bank_name: 'Barclays', sort_code: '200000', account_number: '55779911' },
    },
  },
]

/** `sandboxEnding` is what the first try comes to, so that every ending can be seen. A second try goes through. */
export const ORDERS = [
  { id: 2001, seller: 'amara', what: 'Two hand-thrown bowls', amount_gbp: '48.00' },
  { id: 2002, seller: 'amara', what: 'Teapot', amount_gbp: '65.50' },
  { id: 2003, seller: 'tom', what: 'Oak stool', amount_gbp: '120.00', sandboxEnding: 'sandbox:return' },
  { id: 2004, seller: 'priya', what: 'Block-printed cloth', amount_gbp: '32.25', sandboxEnding: 'sandbox:fail' },
]
