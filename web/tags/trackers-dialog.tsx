import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import type { Tag } from '#contracts/tags.ts'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { trackersApi } from '#web/trackers/trackers.api.ts'
import { devicesQuery, trackerKeys } from '#web/trackers/trackers.queries.ts'
import { MultiChoice } from '#web/ui/form/multi-choice.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'

const Form = z.object({ devices: z.string() })

/** Assigns a tag to trackers. A tracker has one tag, so it loses any other. */
export function TrackersDialog({ tag, onClose }: { tag: Tag; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const devices = useSuspenseQuery(devicesQuery()).data
  const [chosen, setChosen] = useState(() => devices.filter((device) => device.tag?.id === tag.id).map(({ id }) => id))
  const form = useForm({
    schema: Form,
    submit: async () => {
      const changed = devices.filter((device) => chosen.includes(device.id) !== (device.tag?.id === tag.id))
      const change = ({ id }: { id: number }) => trackersApi.change({ params: { id }, body: { tag: chosen.includes(id) ? tag.id : null } })
      // Reloads the trackers even after a failure, since some may have been changed before it.
      await Promise.all(changed.map(change)).finally(() => queries.invalidateQueries({ queryKey: trackerKeys.devices }))
      onClose()
    },
  })
  return (
    <FormDialog title={t('tags.trackersOf', { name: tag.name })} lead={t('tags.chooseLead')} of={form} onClose={onClose}>
      <MultiChoice
        {...form.field('devices')}
        legend={t('trackers.heading')}
        value={chosen}
        onChange={setChosen}
        options={devices.map(({ id, name, tag: other, ...face }) => ({
          id,
          label: name,
          hint: other && other.id !== tag.id ? other.name : undefined,
          icon: <KindDisc of={face} size={32} />,
        }))}
      >
        {devices.length === 0 && <p>{t('trackers.none')}</p>}
      </MultiChoice>
    </FormDialog>
  )
}
