import type { MAIL_TEMPLATES } from '#contracts/mock/mail.ts'
import type { MailData } from '#server/mail/mail.ts'

const datetime = '2026-03-02T09:00:00Z'
const tracker = 'Rex'
const key = '00000000-0000-4000-a000-000000000000'

/** Sample data for the preview of each template. */
export const SAMPLES: { [T in keyof MailData & (typeof MAIL_TEMPLATES)[number]]: MailData[T] } & Record<keyof MailData, object> = {
  confirm_email: { key },
  password_reset: { key },
  password_changed: { datetime },
  change_email: { key },
  change_notice: { datetime },
  invitation: { key, inviter: 'Ada Admin' },
  place_alert: { type: 'place_enter', tracker, place: 'Home', address: 'Calle 1, Montevideo', datetime },
  vehicle_alert: { tracker: 'Family car', address: 'Calle 1, Montevideo', datetime },
  low_battery: { tracker, device: '1', datetime },
  subscription_ended: { tracker, datetime },
  payment_failed: { amount: '1495', currency: 'eur', datetime },
  network_lost: { tracker, device: '1', datetime },
  tracker_removed: { tracker, identifier: '1000000001' },
  unlink_accepted: { reference: 'U-1', identifier: '1000000001' },
  subscription_code: { code: 'LINK2026', months: '12', extra: '1' },
}
