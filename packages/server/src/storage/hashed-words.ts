// Words as indexes have them: one number in place of partner, environment and word.

/**
 * In SQL: a word in a wallet as its index has it. Two words may have one hash, so a statement that names the hash compares the words
 * as well.
 */
export function hashInWallet(word: string, partner: string, environment: string): string {
  return `hashtextextended(${word}, uuid_hash_extended(${partner}, case ${environment} when 'live' then 1 else 0 end))`
}

/** The same of a column of bytes. */
export function hashOfBytes(bytes: string, partner: string, environment: string): string {
  return hashInWallet(`encode(${bytes}, 'hex')`, partner, environment)
}
