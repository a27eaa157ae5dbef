import { queryOptions, useQuery } from '@tanstack/react-query'
import { type AlertSilence, silences } from '#contracts/accounts/silences.ts'
import type { Alert } from '#contracts/alerts.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { useSteadyNow } from '#web/lib/clock.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'

export const silencesApi = createClient(silences, clientPorts)

export const silencesQuery = () => queryOptions({ queryKey: ['silences'], queryFn: ({ signal }) => silencesApi.list({}, { signal }) })

/** The running silences; none while they load, or on a backend without them. */
export function useSilences(): AlertSilence[] {
  const now = useSteadyNow()
  const silences = useQuery({ ...silencesQuery(), enabled: useFeature('silences') }).data ?? []
  return silences.filter(({ until }) => new Date(until) > now)
}

/** Whether a silence is about a tracker, perhaps only at one place. */
export const isAbout = ({ devices }: AlertSilence, device: number) => devices.length === 0 || devices.includes(device)

/** Whether a silence mutes all that an alert would send. */
export const mutesAlert = ({ devices, place, kinds }: AlertSilence, alert: Alert) =>
  (devices.length === 0 || alert.devices.every((device) => devices.includes(device))) &&
  (place === null || (place === alert.place && !alert.vehicle_alert)) &&
  (kinds.length === 0 || kindsOf(alert).every((kind) => kinds.includes(kind)))

const kindsOf = ({ trigger, vehicle_alert }: Alert) => [
  ...(trigger === null ? [] : [`place_${trigger}`]),
  ...(vehicle_alert ? ['vehicle_alert'] : []),
]
