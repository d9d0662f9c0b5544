// Every page about money, in light, in dark and on a phone.
import { lookAtEvery, openViews } from './support/pages.ts'
import { MONEY_VIEWS } from './support/views.ts'

lookAtEvery(MONEY_VIEWS, openViews())
