// The program: `kestrel serve`, its roles `api` and `worker`, and the operator's command line.
import { runCommandLine } from './cli/command-line.ts'

await runCommandLine(process.argv)
