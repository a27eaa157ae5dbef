import type { PushButton, PushedAlert } from '#contracts/accounts/push.ts'
import type { FiringKind } from '#contracts/firings.ts'
import type { Language } from '#contracts/lib/languages.ts'
import { type Role, rights } from '#contracts/lib/rights.ts'
import { BOOST_INTERVAL_SECONDS } from '#contracts/rules/navigation.ts'
import { currentSubState, isPaused } from '#contracts/rules/subscription.ts'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import type { DeviceRow } from '#db/scope.ts'
import { createTranslate } from '#server/mail/mail-translate.ts'

type Reader = { role: Role; language: Language }

/** What the service worker needs to show the buttons of an alert and to do what they say, in the language of the user. */
export function buildPushedAlert(device: DeviceRow, kind: FiringKind, { role, language }: Reader, now: Date): PushedAlert {
  const t = createTranslate(language)
  const page = `/trackers/${device.id}`
  // The worker puts in the time, in the time zone of the device.
  const words = { tracker: device.name, seconds: BOOST_INTERVAL_SECONDS, time: '{{time}}' }
  const buttons: PushButton[] = [{ action: 'show', title: t('push.show'), url: page }]
  if (rights.changeTrackers.some((allowed) => allowed === role) && canBoost(device, now))
    buttons.push({ action: 'boost', title: t('push.boost'), url: `${page}?sheet=boost`, done: t('push.boosted', words) })
  if (rights.changePlaces.some((allowed) => allowed === role)) {
    const url = `/alerts?sheet=mute&tracker=${device.id}&kind=${kind}`
    buttons.push({ action: 'snooze', title: t('push.snooze'), url, done: t('push.snoozed', words) })
  }
  return { device: device.id, kind, language, buttons }
}

/** Whether the tracker would report faster; the portal offers no boost otherwise. */
function canBoost(device: DeviceRow, now: Date) {
  const { subState, subEndDate, networkState, mode, boostUntil } = device
  if (currentSubState(subState, subEndDate, now) !== 'active' || isPaused(device, now)) return false
  return networkState !== 'deactivated' && modeLabel(mode).kind !== 'plane' && !(boostUntil && boostUntil > now)
}
