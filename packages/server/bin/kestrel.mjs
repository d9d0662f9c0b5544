#!/usr/bin/env node
// `npx kestrel`. Kept tiny and in old syntax so that an old Node gets as far as the check.
import { requireRecentNode } from '../../../scripts/lib/check-node.mjs'

requireRecentNode()
void import('../../../scripts/lib/run-kestrel.mjs').then((module) => module.runKestrel())
