import type { Settings } from '@kestrel/contract'

import type { OperationExamples } from './examples.ts'

const SETTINGS: Settings = {
  object: 'settings',
  name: 'Thistle Market',
  slug: 'thistle-market',
  logo_url: null,
  brand_color: '#2b4bd8',
  billing_email: 'finance@thistle.example',
  contact_email: 'finance@thistle.example',
  billing_name: 'Thistle Market Trading Ltd',
  billing_address: ['1 High Street', 'Leeds', 'LS1 1AA'],
  vat_number: 'GB123456789',
  low_balance_usdc: '500.00',
}

const LOGO_URL = 'https://api.example.com/v1/public/partners/thistle-market/logo?v=9f86d081884c7d65'

const now = (summary: string, value: unknown) => ({ 200: { example: { summary, value } } })

/** By operationId. */
export const SETTINGS_EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  readSettings: { answers: now('With a colour', SETTINGS) },
  changeSettings: {
    request: {
      colour: { summary: 'Another colour', value: { brand_color: '#2b4bd8' } },
      several: {
        summary: 'Several at once',
        value: { name: 'Thistle Market', billing_email: 'finance@thistle.example', low_balance_usdc: '500.00' },
      },
      invoices: {
        summary: 'To whom invoices are made out',
        value: {
          billing_name: 'Thistle Market Trading Ltd',
          billing_address: ['1 High Street', 'Leeds', 'LS1 1AA'],
          vat_number: 'GB123456789',
        },
      },
    },
    answers: now('As they are now', SETTINGS),
  },
  changeLogo: {
    request: { image: { summary: 'The bytes of an image', value: '(the bytes of logo.png)' } },
    answers: now('With a logo', { ...SETTINGS, logo_url: LOGO_URL }),
  },
  removeLogo: { answers: now('Without a logo', SETTINGS) },
  readLogo: { answers: now('The bytes of an image', '(the bytes of the image)') },
}
