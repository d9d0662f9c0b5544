// `npm run versions`. Kept tiny and in old syntax so that an old Node gets as far as the check.
import { requireRecentNode } from './lib/check-node.mjs'

requireRecentNode()
void import('./lib/versions/run-versions.mjs').then((module) => module.runVersions())
