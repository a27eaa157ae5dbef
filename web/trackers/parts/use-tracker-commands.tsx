import { useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Device } from '#contracts/devices.ts'
import { useCommands } from '#web/lib/commands.ts'
import { KindIcon } from './kind-icon.tsx'

export function useTrackerCommands(devices: readonly Device[]) {
  const navigate = useNavigate()
  const commands = useMemo(
    () =>
      devices.map(({ id, name, kind, tag }) => ({
        id: `tracker-${id}`,
        label: name,
        ...(tag && { hint: tag.name }),
        icon: <KindIcon kind={kind} size={18} />,
        run: () => void navigate(`/trackers/${encodeURIComponent(id)}`),
      })),
    [devices, navigate],
  )
  useCommands(commands)
}
