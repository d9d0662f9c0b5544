// The sandbox bank: a program of its own that speaks the banking partner's HTTP API.
export { createBankDatabase } from './storage/create-bank-database.ts'
export { migrateBank } from './storage/migrate.ts'
export { type BankOptions, type RunningBank, startBank } from './start-bank.ts'
export type { Clock } from './core/clock.ts'
