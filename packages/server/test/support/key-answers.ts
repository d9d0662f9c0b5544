// Every way in which the bank may speak of an Idempotency-Key.
export const KEY_ANSWERS = [
  { code: 'unprocessable_entity', message: 'Idempotency Key Retry Deadline Exceeded' },
  { code: 'invalid_parameters', message: 'idempotency key was used with another body' },
  { code: 'idempotency_conflict', message: 'It is in use.' },
  { code: 'invalid_parameters', message: 'No.', source: { location: 'header', key: 'Idempotency-Key' } },
  { code: 'required', location: 'header', name: 'Idempotency-Key', message: 'Missing header' },
  { code: 'invalid_parameters', message: 'No.', source: { location: 'body', key: { 'Idempotency-Key': 'is known' } } },
]
