// `npm run image:pack -- FOLDER`. Puts what runs Kestrel in production into one folder: what the container image has, and
// what a machine without containers can be given. Kept tiny and in old syntax so that an old Node gets as far as the check.
import { requireRecentNode } from './lib/check-node.mjs'

requireRecentNode()
void import('./lib/run-pack-image.mjs').then((module) => module.runPackImage())
