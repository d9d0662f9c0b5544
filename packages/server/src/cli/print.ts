/** A result for a program with --json, or for a person. */
export function print(result: unknown, options: { json?: boolean }, lines: () => readonly string[]): void {
  process.stdout.write(options.json === true ? `${JSON.stringify(result, null, 2)}\n` : `${lines().join('\n')}\n`)
}
