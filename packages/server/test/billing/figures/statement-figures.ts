// The statement of each month: its pages, its table, its totals, the month before, and the balance.
import type { Statement } from '@kestrel/contract'

import { type Month, firstDay, lastDay } from '../../../src/core/london-month.ts'
import { type TestPartner, balanceOf } from '../../support/fixtures.ts'
import { microUsdcIn, sumOf } from './amounts.ts'
import { type Look, monthsOf, readPages, readTable } from './look.ts'

type Movement = Statement['data'][number]

export async function compareStatements(look: Look, wallet: TestPartner): Promise<void> {
  let closing: string | null = null
  for (const month of monthsOf(look)) {
    const statement = await compareStatement(look, wallet, month)
    if (closing !== null) {
      look.differences.compare(`${wallet.environment}, statement of ${month}`, {
        'it opens with': statement.opening_usdc,
        'the month before closes with': closing,
      })
    }
    closing = statement.closing_usdc
  }
  look.differences.compare(`${wallet.environment}, now`, {
    'the statement closes with': microUsdcIn(closing!),
    'the wallet has': await balanceOf(look.test, wallet),
  })
}

/** The first page, which has the figures of all. */
async function compareStatement(look: Look, wallet: TestPartner, month: Month): Promise<Statement> {
  const { test, dice } = look
  const days = `from=${firstDay(month)}&to=${lastDay(month)}`
  const pages = await readPages<Statement>(test, wallet, `/v1/statement?${days}&limit=${1 + dice.draw(9)}`)
  const [statement] = pages
  const movements = pages.flatMap(({ data }) => data)
  const where = `${wallet.environment}, statement of ${month}`
  compareBalances(look, where, { statement, movements })
  compareTotals(look, where, { statement, movements })
  const table = await readTable(test, wallet, `/v1/statement.csv?${days}`)
  look.differences.compare(where, {
    'its table has': table.slice(1, -1).map((row) => ({
      at: row['Time (UTC)'],
      in: row['In (USDC)'],
      out: row['Out (USDC)'],
      balance: row['Balance (USDC)'],
      payout: row['Payout'],
    })),
    'its pages': movements.map((movement) => ({
      at: movement.at,
      in: movement.in_usdc ?? '',
      out: movement.out_usdc ?? '',
      balance: movement.balance_usdc,
      payout: movement.payout_id ?? '',
    })),
  })
  look.differences.compare(where, {
    'its table opens and closes with': [table[0]?.['Balance (USDC)'], table.at(-1)?.['Balance (USDC)']],
    'its first page with': [statement.opening_usdc, statement.closing_usdc],
  })
  return statement
}

interface Whole {
  readonly statement: Statement
  readonly movements: readonly Movement[]
}

const cameIn = ({ in_usdc: amount }: Movement) => microUsdcIn(amount ?? '0.00')
const wentOut = ({ out_usdc: amount }: Movement) => microUsdcIn(amount ?? '0.00')

function compareBalances({ differences }: Look, where: string, { statement, movements }: Whole): void {
  let balance = microUsdcIn(statement.opening_usdc)
  for (const movement of movements) {
    balance += cameIn(movement) - wentOut(movement)
    differences.compare(`${where}, at ${movement.at}`, {
      'the movements come to': balance,
      'the balance is': microUsdcIn(movement.balance_usdc),
    })
    if (balance < 0n) differences.tell(`${where}, at ${movement.at}: the wallet has less than nothing, ${balance}`)
  }
  differences.compare(where, {
    'the movements come to': balance,
    'it closes with': microUsdcIn(statement.closing_usdc),
  })
}

function compareTotals({ differences }: Look, where: string, { statement, movements }: Whole): void {
  const { totals } = statement
  differences.compare(where, {
    'its movements come to': { in: sumOf(movements, cameIn), out: sumOf(movements, wentOut) },
    'its totals are': { in: microUsdcIn(totals.in_usdc), out: microUsdcIn(totals.out_usdc) },
  })
  differences.compare(where, {
    'the opening and its four totals come to':
      microUsdcIn(statement.opening_usdc) +
      microUsdcIn(totals.topped_up_usdc) -
      microUsdcIn(totals.taken_out_usdc) -
      microUsdcIn(totals.paid_out_usdc) +
      microUsdcIn(totals.came_back_usdc),
    'it closes with': microUsdcIn(statement.closing_usdc),
  })
}
