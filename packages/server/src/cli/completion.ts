// `kestrel completion bash`: a script with which a shell completes commands and options, made from the commands themselves.
import type { Command } from 'commander'

interface Words {
  /** Such as `payout list`; empty for the program itself. */
  readonly path: string
  readonly words: readonly string[]
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const

/** The script for a program whose commands are all loaded. */
export function completionScript(program: Command, shell: (typeof SHELLS)[number]): string {
  return SCRIPTS[shell](wordsOf(program, []))
}

function wordsOf(command: Command, path: readonly string[]): Words[] {
  const subcommands = command.commands.map((each) => each.name())
  const options = command.options.map(({ long }) => long ?? '').filter((name) => name !== '')
  const own = { path: path.join(' '), words: [...subcommands, ...options, '--help'] }
  return [own, ...command.commands.flatMap((each) => wordsOf(each, [...path, each.name()]))]
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript }

/** Lines of a `case` over what is typed so far, the longer first. */
function cases(all: readonly Words[], variable: string): string {
  return all
    .toSorted((a, b) => b.path.length - a.path.length)
    .map(({ path, words }) => `    ${path === '' ? '*' : `"${path} "*`}) ${variable}="${words.join(' ')}" ;;`)
    .join('\n')
}

function bashScript(all: readonly Words[]): string {
  return `# kestrel completion bash >> ~/.bashrc
_kestrel() {
  local words="" typed
  typed="$(printf '%s ' "\${COMP_WORDS[@]:1:COMP_CWORD-1}")"
  case "$typed" in
${cases(all, 'words')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _kestrel kestrel
`
}

function zshScript(all: readonly Words[]): string {
  return `#compdef kestrel
# kestrel completion zsh > ~/.zfunc/_kestrel, with fpath+=~/.zfunc before compinit
_kestrel() {
  local all="" typed="\${(j: :)words[2,CURRENT-1]} "
  case "$typed" in
${cases(all, 'all')}
  esac
  compadd -- \${=all}
}
compdef _kestrel kestrel
`
}

function fishScript(all: readonly Words[]): string {
  const lines = all.map(({ path, words }) => {
    const seen = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`)
    const when = path === '' ? '__fish_use_subcommand' : seen.join('; and ')
    return `complete -c kestrel -f -n '${when}' -a '${words.join(' ')}'`
  })
  return `# kestrel completion fish > ~/.config/fish/completions/kestrel.fish\n${lines.join('\n')}\n`
}
