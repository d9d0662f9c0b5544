// The sandbox bank: a program of its own that speaks the real bank's HTTP API (Bridge, v0).
export { OPTIONAL_FIELDS } from './domain/appearances.ts'
export { EXCESS_WALLET_ID } from './core/ids.ts'
export { createBankDatabase } from './storage/create-bank-database.ts'
export { migrateBank } from './storage/migrate.ts'
export { type BankOptions, type RunningBank, startBank } from './start-bank.ts'
export type { Clock } from './core/clock.ts'
