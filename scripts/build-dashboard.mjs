// Builds the dashboard's pages into packages/dashboard/dist. `npm start` does it by itself when they are out of date.
import { requireRecentNode } from './lib/check-node.mjs'

requireRecentNode()
void import('./lib/build-dashboard.mjs').then((module) => module.runDashboardBuild())
