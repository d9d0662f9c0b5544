// Words after the command's name, as its options and arguments. What it does not know it refuses: a misspelt option that is
// passed over could be the one that limits a payment.
import type { Command, Given, Option } from './command.ts'
import { misuse } from './failure.ts'
import { nearest } from './nearest.ts'

export const GLOBAL_OPTIONS: readonly Option[] = [
  { name: 'key', value: 'KEY', summary: 'the API key, instead of KESTREL_KEY or the stored one' },
  { name: 'url', value: 'URL', summary: 'where the service is, instead of KESTREL_URL or the stored address' },
  { name: 'live', summary: 'real money: a live key is used only with it' },
  { name: 'json', summary: 'JSON also on a terminal, and for errors' },
  { name: 'help', summary: 'how the command is used' },
]

export function readArguments(command: Command, words: readonly string[]): Given {
  const known = [...(command.options ?? []), ...GLOBAL_OPTIONS]
  const found = new Map<string, string>()
  const args: string[] = []
  let isOver = false
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!
    if (isOver || !word.startsWith('-') || word === '-') args.push(word)
    else if (word === '--') isOver = true
    else {
      const [name, own] = splitOption(word)
      const option = known.find((each) => each.name === name)
      if (option === undefined) throw unknownOption(command, word, known)
      if (found.has(name)) throw misuse(`--${name} is given twice.`)
      if (option.value === undefined && own !== undefined) throw misuse(`--${name} takes no value.`)
      const value = option.value === undefined ? '' : (own ?? words[(at += 1)])
      // Not `--status --limit 5`: the value is missing there.
      if (value === undefined || (own === undefined && value.startsWith('--'))) {
        throw misuse(`--${name} needs a value: --${name} ${option.value}.`)
      }
      found.set(name, checked(option, value))
    }
  }
  if (!found.has('help')) checkCount(command, args)
  return { args, option: (name) => found.get(name), has: (name) => found.has(name) }
}

function splitOption(word: string): [name: string, own: string | undefined] {
  if (word === '-h') return ['help', undefined]
  const at = word.indexOf('=')
  return at === -1 ? [word.slice(2), undefined] : [word.slice(2, at), word.slice(at + 1)]
}

function checked({ name, choices }: Option, value: string): string {
  if (choices === undefined) return value
  const words = value.split(',').map((each) => each.trim())
  const wrong = words.find((each) => !choices.includes(each))
  if (wrong === undefined) return words.join(',')
  const close = nearest(wrong, choices)
  const meant = close === null ? '' : ` Did you mean ${close}?`
  throw misuse(`--${name} cannot be "${wrong}".${meant} It is one of ${choices.join(', ')}.`)
}

function checkCount(command: Command, args: readonly string[]): void {
  const wanted = command.args ?? []
  const missing = wanted[args.length]
  const usage = `Usage: kestrel-pay ${usageOf(command)}`
  if (missing !== undefined && missing.isOptional !== true) throw misuse(`${missing.name} is missing.`, usage)
  if (args.length > wanted.length) throw misuse(`"${args[wanted.length]}" is one word too many.`, usage)
  wanted.forEach(({ name, choices }, at) => {
    const given = args[at]
    if (given === undefined || choices === undefined || choices.includes(given)) return
    const close = nearest(given, choices)
    throw misuse(
      `${name} cannot be "${given}".${close === null ? '' : ` Did you mean ${close}?`}`,
      `It is one of ${choices.join(', ')}.`,
    )
  })
}

export function usageOf({ name, args = [] }: Command): string {
  return [name, ...args.map((each) => (each.isOptional === true ? `[${each.name}]` : each.name))].join(' ')
}

function unknownOption(command: Command, word: string, known: readonly Option[]) {
  const [name] = splitOption(word)
  const close = nearest(
    name,
    known.map((each) => each.name),
  )
  const hint = close === null ? `See kestrel-pay ${command.name} --help.` : `Did you mean --${close}?`
  return misuse(`${word.split('=')[0]} is no option of ${command.name}.`, hint)
}
