import { alice, choose, press, type Screen, supports } from './screen.ts'

const CALENDAR = 'main button[aria-expanded][title]:not([aria-label])'
/** The line about positions that look wrong. */
const WRONG = 'main button[aria-expanded]:not([aria-controls], [title])'

export const tracker: Screen[] = [
  alice('tracker', '/trackers/1'),
  alice('tracker', '/trackers/1', { state: 'details', act: choose('article summary'), ready: 'details[open]' }),
  alice('tracker', '/trackers/3', { state: 'share', act: press('tracker.share', 'article') }),
  alice('tracker', '/trackers/1', { state: 'boost', act: press('tracker.boost', 'article') }),
  alice('tracker', '/trackers/2?sheet=boost', { state: 'asked', ready: 'dialog[open]' }),
  alice('tracker', '/trackers/1', { state: 'lost', act: press('tracker.lost', 'article') }),
  alice('tracker', '/trackers/3', { state: 'mode', act: press('tracker.mode', 'article') }),
  alice('tracker', '/trackers/2', { state: 'phone', act: press('tracker.connectPhone', 'article') }),
  alice('tracker', '/trackers/5', { state: 'plane' }),
  alice('tracker', '/trackers/7', { state: 'unplaced' }),
  alice('tracker', '/trackers/9', { state: 'ended' }),
  alice('tracker', '/trackers/11', { state: 'stolen' }),
  alice('tracker', '/trackers/13', { state: 'sending' }),
  alice('tracker', '/trackers/15', { state: 'unsubscribed' }),
  alice('tracker', '/trackers/999', { state: 'unknown' }),
  supports('tracker', '/trackers/1'),
]

export const history: Screen[] = [
  alice('trackerHistory', '/trackers/1/history'),
  alice('trackerHistory', '/trackers/1/history', { state: 'calendar', act: choose(CALENDAR), ready: 'main table' }),
  alice('trackerHistory', '/trackers/2/history?from=2026-02-23&to=2026-03-01', { state: 'week' }),
  alice('trackerHistory', '/trackers/5/history', { state: 'heights', act: press('history.chartsWithHeight'), ready: 'figure' }),
  alice('trackerHistory', '/trackers/6/history', { state: 'wrong', act: choose(WRONG), ready: 'main ul button[aria-pressed]' }),
  alice('trackerHistory', '/trackers/1/history', { state: 'film', act: press('history.film.open'), ready: 'dialog[open] canvas' }),
  alice('trackerHistory', '/trackers/18/history', { state: 'empty' }),
  alice('trackerHistory', '/trackers/999/history', { state: 'unknown', fails: true }),
  alice('trackerMonths', '/trackers/1/months'),
  alice('trackerMonths', '/trackers/1/months?year=2025', { state: 'before' }),
  alice('trackerMonths', '/trackers/1/months?view=review', { state: 'review', ready: 'main section img' }),
  alice('trackerMonths', '/trackers/7/months', { state: 'empty' }),
  alice('trackerMonths', '/trackers/1/months?view=usual', { state: 'usual' }),
  alice('trackerMonths', '/trackers/6/months?view=usual', { state: 'learnt', ready: 'main section .leaflet-container' }),
]
