// Who is paid. From a file or from stdin: what stands on a command line, every process of the machine can read, and the shell
// remembers it.
import { readFileSync } from 'node:fs'

import type { Recipient } from '@kestrel/sdk'

import type { Context } from './command.ts'
import { misuse } from './failure.ts'
import type { Environment } from './settings.ts'

/** As in the guides: a person who is always paid, unless the reference says another ending. */
export const SAMPLE: Recipient = {
  first_name: 'Amara',
  last_name: 'Okafor',
  address: { line1: '1 High Street', city: 'Leeds', postal_code: 'LS1 4AP' },
  bank: { bank_name: 'Monzo', sort_code: '040004', account_number: '12345678' },
}

export async function recipientFor(context: Context, environment: Environment): Promise<Recipient> {
  const { around } = context
  const path = context.option('recipient')
  if (path === undefined) {
    if (environment === 'live')
      throw misuse('Say who is paid: --recipient FILE, or --recipient - to pipe it in.', SHAPE)
    context.out.note(
      'The recipient is the sample one of the guides, Amara Okafor …5678. Name another with --recipient FILE.',
    )
    return SAMPLE
  }
  // What ends the recipient ends stdin, and nobody could type the amount any more.
  if (path === '-' && environment === 'live' && around.isInteractive && !context.has('confirm-amount')) {
    throw misuse('On a terminal the recipient of real money comes from a file: --recipient FILE.')
  }
  const text = path === '-' ? await around.readInput() : readNamed(path)
  const value = parsed(text)
  // What is missing in it, the service says by name.
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notOne(path)
  return value as Recipient
}

const SHAPE =
  'It is JSON: {"first_name","last_name","address":{"line1","city","postal_code"},"bank":{"bank_name","sort_code","account_number"}}'

function readNamed(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw misuse(`There is no file ${path} that can be read.`)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The text itself is not shown: it may hold an account number. */
function notOne(path: string) {
  return misuse(`${path === '-' ? 'What was piped in' : path} is no JSON object with a recipient.`, SHAPE)
}
