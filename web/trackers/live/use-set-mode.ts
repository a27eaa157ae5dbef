import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Device } from '#contracts/trackers/devices.ts'
import { devicesApi, updateCachedDevice } from '#web/trackers/trackers.queries.tsx'

/** Requests a mode, which is pending until the tracker's next communication. */
export function useSetMode({ id }: Device, onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (mode: number) => devicesApi.setMode({ params: { id }, body: { mode } }),
    onSuccess(config) {
      updateCachedDevice(queries, id, { tracker_config: config })
      onDone()
    },
  })
}
