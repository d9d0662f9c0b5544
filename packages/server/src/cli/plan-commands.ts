import type { Command } from 'commander'

import { AppError } from '../core/errors.ts'
import { formatPence, parsePence, pence } from '../core/money.ts'
import { type DatedPlan, type Plan, planAt } from '../core/plan.ts'
import { changesBetween } from '../domain/activity/audited.ts'
import { recordOperatorAction } from '../domain/activity/record-operator-action.ts'
import { type PlansOfPartner, listPlans, setPlan } from '../domain/partners/set-plan.ts'
import type { CommandContext } from './command-context.ts'
import { withDeps } from './context.ts'
import { requireDay } from './options.ts'
import { print } from './print.ts'

interface Price {
  readonly option: string
  readonly unit: 'GBP' | '%'
  readonly name: keyof Plan
  readonly what: string
}

/** Each price by the option that sets it. A percentage has two decimals, as pounds have. */
const PRICES: readonly Price[] = [
  { option: 'payout-fixed', unit: 'GBP', name: 'payoutFixed', what: 'a payout, whatever its amount' },
  { option: 'payout-percent', unit: '%', name: 'payoutBasisPoints', what: 'of a payout’s amount' },
  { option: 'bank-fixed', unit: 'GBP', name: 'bankFixed', what: 'the part of the fee that is taken in the transfer' },
  { option: 'bank-percent', unit: '%', name: 'bankBasisPoints', what: 'of the amount, taken in the transfer' },
  { option: 'monthly-account', unit: 'GBP', name: 'monthlyAccount', what: 'a month' },
  { option: 'business-verification', unit: 'GBP', name: 'businessVerification', what: 'once' },
  { option: 'network-cost', unit: 'GBP', name: 'networkCost', what: 'what the network costs us a payout' },
  { option: 'network-markup', unit: '%', name: 'networkMarkupBasisPoints', what: 'on top of that' },
  { option: 'exception-cost', unit: 'GBP', name: 'exceptionCost', what: 'what a return costs us' },
  { option: 'exception-markup', unit: '%', name: 'exceptionMarkupBasisPoints', what: 'on top of that' },
]

type SetOptions = Readonly<Record<string, string | undefined>> & { from?: string }

export function addPlanCommands(plan: Command, context: CommandContext): void {
  const set = plan
    .command('set <slug>')
    .description('set prices from now or from a day to come; payouts that exist keep theirs')
    .option('--from <YYYY-MM-DD>', 'the day, in London, on which they begin; now unless given')
    .option('--json', 'print JSON')
  for (const { option, unit, what } of PRICES) set.option(`--${option} <${unit}>`, what)
  set.action(async (slug: string, options: SetOptions & { json?: boolean }) => {
    const changes = changesIn(options)
    const from = options.from === undefined ? null : requireDay('--from', options.from)
    const result = await withDeps(context, async (deps) => {
      const was = planAt((await listPlans(deps, slug)).plans, from ?? deps.clock.now())
      const changed = await setPlan(deps, slug, { from, changes })
      const detail = Object.keys(changes).length === 0 ? 'none' : Object.keys(changes).join(', ')
      const audited = {
        subject: null,
        changes: changesBetween(pricesIn(was, changes), pricesIn({ ...was, ...changes }, changes)),
      }
      await recordOperatorAction(deps, { partnerId: changed.partner.id, action: 'plan.set', detail, audited })
      return changed
    })
    printPlans(result, options)
  })
  plan
    .command('show <slug>')
    .description('show the plans of a business, the first one first')
    .option('--json', 'print JSON')
    .action(async (slug: string, options: { json?: boolean }) => {
      printPlans(await withDeps(context, (deps) => listPlans(deps, slug)), options)
    })
}

/** The prices that are changed, in words: "monthly account 15.00 GBP". */
function pricesIn(plan: Plan, changes: Partial<Plan>) {
  const words = PRICES.filter(({ name }) => name in changes).map(
    ({ option, unit, name }) => `${option.replaceAll('-', ' ')} ${formatPence(pence(plan[name]))} ${unit}`,
  )
  return { prices: words }
}

function changesIn(options: SetOptions): Partial<Plan> {
  const given = PRICES.flatMap((price) => {
    const text = options[camelCase(price.option)]
    return text === undefined ? [] : [[price.name, requirePrice(price, text)] as const]
  })
  if (given.length > 0) return Object.fromEntries(given)
  throw new AppError('invalid_request', `Say which price is to change, such as --monthly-account 9.00.`)
}

function requirePrice({ option, unit }: Price, text: string): bigint {
  const price = parsePence(text)
  if (price !== null) return price
  const example = unit === 'GBP' ? '0.99' : '1.00'
  throw new AppError('invalid_request', `--${option} must be like ${example}; it is ${JSON.stringify(text)}.`)
}

const camelCase = (option: string) => option.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

function printPlans({ partner, plans }: PlansOfPartner, options: { json?: boolean }): void {
  const shown = plans.map(presentPlan)
  print({ partner: partner.slug, plans: shown }, options, () =>
    shown.flatMap(({ valid_from, ...prices }) => [
      `${partner.slug} from ${valid_from}`,
      ...Object.entries(prices).map(([name, price]) => `  ${name.padEnd(32)} ${price.padStart(8)}`),
    ]),
  )
}

function presentPlan(plan: DatedPlan): Record<string, string> & { valid_from: string } {
  const prices = PRICES.map(({ option, unit, name }) => {
    const key = `${option.replaceAll('-', '_')}${unit === 'GBP' ? '_gbp' : option.endsWith('percent') ? '' : '_percent'}`
    return [key, formatPence(pence(plan[name]))] as const
  })
  return { valid_from: plan.validFrom.toISOString(), ...Object.fromEntries(prices) }
}
