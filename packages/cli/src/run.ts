// One call of the program: finds the command, reads its words, lets it work, and answers with an exit code.
import type { Command, Context } from './command.ts'
import { COMMANDS, findCommand, unknownCommand } from './commands.ts'
import { type Doubt, noticing } from './doubt.ts'
import { EXIT, type Exit, Failure } from './failure.ts'
import { Output } from './output.ts'
import { readArguments } from './read-arguments.ts'
import { readSettings } from './settings.ts'
import type { Surroundings } from './surroundings.ts'

export async function run(words: readonly string[], around: Surroundings): Promise<Exit> {
  const out = new Output(around, { isJsonAsked: words.includes('--json') })
  const doubt: Doubt = { mayHaveChanged: false }
  try {
    return await answer(words, { ...around, fetch: noticing(around.fetch, doubt) }, out)
  } catch (error) {
    const failure = error instanceof Failure ? error : (await import('./failure-of.ts')).failureOf(error, doubt)
    out.failure(failure)
    return failure.exit
  }
}

async function answer(words: readonly string[], around: Surroundings, out: Output): Promise<Exit> {
  const [first = 'help'] = words
  if (first === '--version' || first === 'version') {
    const { VERSION } = await import('@kestrel/sdk')
    out.text(`kestrel-pay ${VERSION}\n`)
    return EXIT.done
  }
  if (first === 'help' || first === '--help' || first === '-h') return help(words.slice(1), out)
  const command = findCommand(words)
  if (command === null) {
    // `payouts` and `payouts --help`.
    const group = COMMANDS.some(({ name }) => name.startsWith(`${first} `))
    if (group && (words[1] === undefined || words[1] === '--help' || words[1] === '-h')) return help([first], out)
    throw unknownCommand(words)
  }
  const given = readArguments(command, words.slice(command.name.split(' ').length))
  if (given.has('help')) return help(command.name.split(' '), out)
  const work = await command.load()
  return (await work.run(contextOf(given, around, out))) ?? EXIT.done
}

function contextOf(given: ReturnType<typeof readArguments>, around: Surroundings, out: Output): Context {
  const settings = () => readSettings(given, around)
  return {
    ...given,
    around,
    out,
    settings,
    client: async () => {
      const { key, url } = settings()
      const { Kestrel } = await import('@kestrel/sdk')
      return new Kestrel({ apiKey: key, baseUrl: url, fetch: around.fetch })
    },
  }
}

async function help(words: readonly string[], out: Output): Promise<Exit> {
  const { helpFor, overview } = await import('./help.ts')
  const name = words.filter((word) => !word.startsWith('-')).join(' ')
  if (name === '') {
    out.text(overview(COMMANDS))
    return EXIT.done
  }
  const found: Command[] = COMMANDS.filter((each) => each.name === name || each.name.startsWith(`${name} `))
  if (found.length === 0) throw unknownCommand(words)
  out.text(found.length === 1 ? helpFor(found[0]!) : overview(found))
  return EXIT.done
}
