import type { TFunction } from 'i18next'
import type { TeamUser } from '#contracts/team.ts'

/** An unknown role is shown as is. */
export const roleWords = (t: TFunction, { role }: TeamUser) => (role === 'admin' || role === 'pro' ? t(`team.role.${role}`) : role)

export const trackersWords = (t: TFunction, { role, devices }: TeamUser) => {
  if (role === 'admin') return t('team.allTrackers')
  return devices.length === 0 ? t('team.noTracker') : t('team.trackers', { count: devices.length })
}
