// `npm run storm`. Kept tiny and in old syntax so that an old Node gets as far as the check.
import { requireRecentNode } from './lib/check-node.mjs'

requireRecentNode()
void import('./lib/run-storm.mjs').then((module) => module.runStorm())
