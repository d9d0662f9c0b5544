// `npm run bench`. Kept tiny and in old syntax so that an old Node gets as far as the check.
import { requireRecentNode } from './lib/check-node.mjs'

requireRecentNode()
void import('./lib/run-bench.mjs').then((module) => module.runBench())
