// What the shop knows, in one file that is complete at every moment. A real shop has a database.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

import { ORDERS, SELLERS } from './first-orders.mjs'

/** `state` is changed in place. What was not saved is forgotten with the process. */
export function openStore(path) {
  const state = read(path) ?? {
    sellers: SELLERS,
    orders: ORDERS.map((order) => ({ ...order, payments: [] })),
    endpoint: null,
    lastEvent: null,
  }
  return { state, save: () => write(path, state) }
}

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}

/** Beside it first, and then in its place: whoever pulls the plug leaves the old file or the new one. */
function write(path, state) {
  const file = openSync(`${path}.new`, 'w', 0o600)
  try {
    writeFileSync(file, JSON.stringify(state, null, 2))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(`${path}.new`, path)
}
