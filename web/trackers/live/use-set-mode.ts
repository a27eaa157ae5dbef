import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Device } from '#contracts/devices.ts'
import { client } from '#web/lib/api/client.ts'
import { changeDevice } from './change-device.ts'

/** Asks for a mode; until the tracker's next communication it is 'Settings sending' (E-35, R-4.3). */
export function useSetMode({ id }: Device, onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (mode: number) => client.devices.setMode({ params: { id }, body: { mode } }),
    onSuccess(config) {
      changeDevice(queries, id, { tracker_config: config })
      onDone()
    },
  })
}
