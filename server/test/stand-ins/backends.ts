import {
  failuresAsDjango,
  failuresAsHtml,
  failuresAsMessage,
  failuresEmpty,
  nothingForChanges,
  okForCreated,
  onlySpecified,
  slow,
  tokenAs,
  tokenScheme,
} from './answer-habits.ts'
import { absentFields, extraFields, nullForAbsent, nullsLeftOut, oddNull, oddObject, oddText, valuesOfNextYear } from './entry-habits.ts'
import type { Habit } from './habit.ts'
import { historyInPagesOf, listsInData, pagesWithResults } from './shape-habits.ts'
import {
  booleansAsNumbers,
  choicesInCapitals,
  currenciesInCapitals,
  datesWithTime,
  decimalsAsText,
  idsAsText,
  instantsWithMicroseconds,
  instantsWithMilliseconds,
  instantsWithOffset,
  precisionWithFraction,
} from './value-habits.ts'

/** Plausible backends, each with deviations that occur together. */
export const backends = {
  djangoRestFramework: [
    decimalsAsText,
    instantsWithMicroseconds,
    instantsWithOffset,
    nullForAbsent,
    pagesWithResults(),
    failuresAsDjango,
    tokenScheme,
    tokenAs('key'),
  ],
  railsOrNode: [
    idsAsText,
    listsInData,
    instantsWithMilliseconds,
    booleansAsNumbers,
    datesWithTime,
    nullsLeftOut,
    currenciesInCapitals,
    failuresAsMessage,
    tokenAs('auth_token'),
    okForCreated,
    nothingForChanges,
  ],
  documentedOnly: [onlySpecified('json')],
  documentedOnlyAsHtml: [onlySpecified('html'), failuresAsHtml],
  slowPaged: [slow(300), pagesWithResults(5), historyInPagesOf(100)],
  nextYear: [valuesOfNextYear, extraFields, oddNull, oddText, oddObject],
  sparse: [absentFields, precisionWithFraction, choicesInCapitals, failuresEmpty],
} as const satisfies Record<string, readonly Habit[]>
