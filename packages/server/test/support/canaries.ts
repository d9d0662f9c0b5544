// Values that must never reach a log. Tests use them as bank details; keys and codes are recognised by their shape.
/** The pair passes the modulus check, so that live takes it too. */
export const CANARY = {
  sortCode: '112248',
  accountNumber: '98765432',
  firstName: 'Zephyrine',
  lastName: 'Quillfeather',
  line1: '77 Canary Lane',
  postalCode: 'ZE1 0CA',
  email: 'zephyrine.canary@example.test',
} as const

export const CANARY_SHAPES = {
  'an API key': /kp_(?:sandbox|live)_[a-f0-9]{48}/,
  'a session’s cookie': /kestrel_session|Set-Cookie/i,
  'a member’s address': /@(thistle|okafor|ellis|elsewhere)\.test/,
  'an authorization header': /bearer\s+[a-z0-9_]{12,}/i,
} as const
