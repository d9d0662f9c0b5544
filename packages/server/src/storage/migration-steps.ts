// A migration's file as it is carried out: in steps, each in a transaction of its own unless it says otherwise.

/**
 * A file may have several steps, each in a transaction of its own, so that no lock is held while much is read or written.
 * After a crash it begins at its first step again: every step but the last can be done twice, and the last is written
 * down in the same transaction.
 */
const STEP = /^(?=-- step\b)/m
/**
 * Such a step runs statement by statement, for indexes that are built while the service works. It can be done twice.
 */
const OUTSIDE_TRANSACTION = /^-- (?:step, )?outside a transaction\b/m

/** Steps that do something: a part of nothing but comments is none. */
export function stepsOf(sql: string): string[] {
  return sql.split(STEP).filter((step) => withoutComments(step).trim() !== '')
}

export function isOutsideTransaction(step: string): boolean {
  return OUTSIDE_TRANSACTION.test(step)
}

/** For a step outside of a transaction, which holds no function's text. */
export function statementsOf(step: string): string[] {
  return step.split(/;\s*(?:\n|$)/).filter((statement) => statement.trim() !== '')
}

export function withoutComments(sql: string): string {
  return sql.replaceAll(/^\s*--.*$/gm, '')
}
