import { join } from 'node:path'
import { writeOwned } from './own-files.ts'
import type { RuntimeUser } from './runtime-user.ts'

export const SETTINGS_FILE = 'kestrel.conf'

/** fsync and the other durability settings are left at PostgreSQL's safe defaults. */
const DEFAULTS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // The log must never hold a recipient's bank details. Statements and parameters are left out,
  // and so are errors: their text and DETAIL quote values, as in "Failing row contains (...)".
  // The program that ran the statement gets them all the same.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
}

export function settingsText(port: number, overrides: Readonly<Record<string, string>>): string {
  const settings = { ...DEFAULTS, ...overrides, port: String(port) }
  const lines = Object.entries(settings).map(([name, value]) => {
    if (!/^[a-z_][a-z0-9_.]*$/i.test(name)) throw new Error(`not a setting: ${name}`)
    return `${name} = '${escape(value)}'`
  })
  return `# Written by Kestrel at every start; changes here are lost.\n${lines.join('\n')}\n`
}

export function writeSettings(cluster: string, text: string, user: RuntimeUser | null): void {
  writeOwned(join(cluster, SETTINGS_FILE), text, user)
}

function escape(value: string): string {
  if (/[\r\n]/.test(value)) throw new Error('a setting must fit on one line')
  return value.replaceAll('\\', '\\\\').replaceAll("'", "''")
}
