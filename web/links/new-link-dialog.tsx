import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/devices.ts'
import { parseId } from '#contracts/lib/common.ts'
import { MAX_PUBLIC_LINKS } from '#contracts/lib/constants.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { Failure } from '#web/ui/feedback/failure.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import type { OwnedLink } from './links.queries.ts'
import { NewLinkForm } from './new-link-form.tsx'

type Props = { chosen: number | null; all: readonly OwnedLink[]; onClose: () => void }

export function NewLinkDialog({ chosen, all, onClose }: Props) {
  const { t } = useTranslation()
  const { data: devices, isError, refetch } = useQuery(devicesQuery())
  return (
    <Dialog title={t('publicLinks.new')} onClose={onClose}>
      {isError && <Failure retry={() => void refetch()} />}
      {!devices && !isError && <SkeletonRows count={2} />}
      {devices?.length === 0 && <p>{t('trackers.none')}</p>}
      {devices?.[0] && (
        <TrackerChoice devices={devices} first={devices.find(({ id }) => id === chosen) ?? devices[0]} all={all} onMade={onClose} />
      )}
    </Dialog>
  )
}

function TrackerChoice({
  devices,
  first,
  all,
  onMade,
}: {
  devices: Device[]
  first: Device
  all: readonly OwnedLink[]
  onMade: () => void
}) {
  const { t } = useTranslation()
  const [device, setDevice] = useState(first.id)
  const isFull = all.filter((link) => link.device === device).length >= MAX_PUBLIC_LINKS
  return (
    <>
      <SelectField
        label={t('title.tracker')}
        value={String(device)}
        onChange={({ target }) => setDevice(parseId(target.value))}
        data={devices.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      <NewLinkForm device={device} isFull={isFull} onMade={onMade} />
    </>
  )
}
