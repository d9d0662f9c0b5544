// Scripts with which a shell completes commands and options. They are made from the table of commands.
import type { Command, Context } from '../command.ts'
import { COMMANDS } from '../commands.ts'
import { GLOBAL_OPTIONS } from '../read-arguments.ts'

export async function run({ args, out }: Context): Promise<void> {
  const shell = args[0] as keyof typeof SCRIPTS
  out.text(SCRIPTS[shell](COMMANDS))
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript }

const firstWords = (commands: readonly Command[]) => [...new Set(commands.map(({ name }) => name.split(' ')[0]!))]

function wordsAfter(command: Command): string {
  const choices = (command.args ?? []).flatMap((each) => each.choices ?? [])
  const options = [...(command.options ?? []), ...GLOBAL_OPTIONS].map(({ name }) => `--${name}`)
  return [...choices, ...options].join(' ')
}

/** Lines of a `case` over "FIRST SECOND", the longer names first. */
function cases(commands: readonly Command[]): string {
  const groups = firstWords(commands).flatMap((first) => {
    const seconds = commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []))
    return seconds.length === 0 ? [] : [`    "${first} "*) words="${seconds.join(' ')}" ;;`]
  })
  const own = commands.map((each) => {
    return `    "${each.name} "*) words="${wordsAfter(each)}" ;;`
  })
  return [...own, ...groups].join('\n')
}

function bashScript(commands: readonly Command[]): string {
  return `# kestrel-pay completion bash >> ~/.bashrc
_kestrel_pay() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="" typed
  # What stands before the word that is being typed, and a blank after each.
  typed="$(printf '%s ' "\${COMP_WORDS[@]:1:COMP_CWORD-1}")"
  [ "$COMP_CWORD" -le 1 ] && typed=""
  case "$typed" in
    "") words="${firstWords(commands).join(' ')} --help --version" ;;
${cases(commands)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _kestrel_pay kestrel-pay
`
}

function zshScript(commands: readonly Command[]): string {
  return `#compdef kestrel-pay
# kestrel-pay completion zsh > ~/.zfunc/_kestrel-pay, with fpath+=~/.zfunc before compinit
_kestrel_pay() {
  local all="" typed=""
  (( CURRENT > 2 )) && typed="\${(j: :)words[2,CURRENT-1]} "
  case "$typed" in
    "") all="${firstWords(commands).join(' ')} --help --version" ;;
${cases(commands).replaceAll(' words=', ' all=')}
  esac
  compadd -- \${=all}
}
compdef _kestrel_pay kestrel-pay
`
}

function fishScript(commands: readonly Command[]): string {
  const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`
  const firsts = firstWords(commands).map((first) => {
    const summary = commands.find(({ name }) => name === first)?.summary ?? `commands about ${first}`
    return `complete -c kestrel-pay -n __fish_use_subcommand -a ${first} -d ${quoted(summary)}`
  })
  const seconds = commands.flatMap(({ name, summary }) => {
    const [first, second] = name.split(' ')
    return second === undefined
      ? []
      : [`complete -c kestrel-pay -n '__fish_seen_subcommand_from ${first}' -a ${second} -d ${quoted(summary)}`]
  })
  const options = commands.flatMap(({ name, options: own = [] }) =>
    own.map((option) => {
      const seen = name
        .split(' ')
        .map((word) => `__fish_seen_subcommand_from ${word}`)
        .join('; and ')
      const value = option.value === undefined ? '' : ' -r'
      return `complete -c kestrel-pay -n '${seen}' -l ${option.name}${value} -d ${quoted(option.summary)}`
    }),
  )
  const global = GLOBAL_OPTIONS.map(
    ({ name, value, summary }) =>
      `complete -c kestrel-pay -l ${name}${value === undefined ? '' : ' -r'} -d ${quoted(summary)}`,
  )
  return `# kestrel-pay completion fish > ~/.config/fish/completions/kestrel-pay.fish
complete -c kestrel-pay -f
${[...firsts, ...seconds, ...options, ...global].join('\n')}
`
}
