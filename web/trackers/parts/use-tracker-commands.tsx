import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { Device } from '#contracts/trackers/devices.ts'
import { useCommands } from '#web/lib/navigation/commands.ts'
import { STATE_GROUPS } from '#web/trackers/state.ts'
import { KindIcon } from './kind-icon.tsx'

/** Offers every tracker and every group of states in the command palette. Only a new, renamed or removed tracker changes the commands, not a moving one. */
export function useTrackerCommands(devices: readonly Device[]) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const named = useUnlessChanged(devices, haveSameNames)
  const commands = useMemo(
    () => [
      ...STATE_GROUPS.map((group) => ({
        id: `state-${group}`,
        label: t(`groups.${group}`),
        hint: t('trackers.heading'),
        isMany: true as const,
        run: () => void navigate(`/?state=${group}`),
      })),
      ...named.map(({ id, name, kind, tag }) => ({
        id: `tracker-${id}`,
        label: name,
        ...(tag && { hint: tag.name }),
        icon: <KindIcon kind={kind} size={18} />,
        isMany: true as const,
        run: () => void navigate(`/trackers/${encodeURIComponent(id)}`),
      })),
    ],
    [named, navigate, t],
  )
  useCommands(commands)
}

const haveSameNames = (before: readonly Device[], after: readonly Device[]) =>
  before.length === after.length &&
  before.every((device, index) => {
    const other = after[index]!
    const { id, name, kind, tag } = other
    return device === other || (device.id === id && device.name === name && device.kind === kind && device.tag?.name === tag?.name)
  })

/** The previous value, as long as it equals the new one by `isSame`. */
function useUnlessChanged<T>(value: T, isSame: (before: T, after: T) => boolean): T {
  const [shown, setShown] = useState(value)
  if (shown === value || isSame(shown, value)) return shown
  setShown(value)
  return value
}
