import { Button } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { PHOTO } from '#contracts/limits/photo-limits.ts'
import { KINDS, TRACKER_ICONS } from '#contracts/rules/tracking/tracker.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { lazy } from '#web/lib/chunk.ts'
import { showToast } from '#web/lib/toasts.ts'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { ChoiceCards } from '#web/ui/form/choices.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import classes from './face.module.css'
import { photosApi } from './photos.api.ts'
import settings from './settings.module.css'

const CropDialog = lazy(() => import('./crop-dialog.tsx'))

/** Photo and icon of a tracker; each change is saved at once. */
export function FaceForm({ device, mayChange }: { device: Device; mayChange: boolean }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const file = useRef<HTMLInputElement>(null)
  const [picture, setPicture] = useState<ImageBitmap>()
  const [isUnreadable, setUnreadable] = useState(false)
  const apply = (changed: Device) => {
    queries.setQueryData(devicesQuery().queryKey, (devices) => devices?.map((each) => (each.id === changed.id ? changed : each)))
    setPicture(undefined)
    showToast(t('form.saved'))
  }
  const params = { id: device.id }
  const kind = pickListed(KINDS, device.kind, 'other')
  const remove = useMutation({ mutationFn: () => photosApi.remove({ params }), onSuccess: apply })
  const setIcon = useMutation({
    // Arrow keys choose one icon after the other; the last one wins on a connection that delays some.
    scope: { id: 'icon' },
    mutationFn: (icon: string) => photosApi.setIcon({ params, body: { icon: pickListed(TRACKER_ICONS, icon, null) } }),
    onSuccess: apply,
  })
  const open = async (chosen: File | undefined) => {
    if (!chosen) return
    const read = await readPicture(chosen).catch(() => undefined)
    setUnreadable(!read)
    setPicture(read)
  }
  const failure = isUnreadable ? t('settings.photo.unreadable') : remove.isError || setIcon.isError ? t('error.general') : null
  return (
    <div className={settings.section}>
      <FormAlert>{failure}</FormAlert>
      <div className={classes.photo}>
        <KindDisc of={device} size={88} />
        <div className={classes.buttons}>
          <input
            ref={file}
            type="file"
            accept="image/*"
            hidden
            aria-label={t('settings.photo.choose')}
            onChange={({ target }) => {
              void open(target.files?.[0])
              target.value = ''
            }}
          />
          <Button
            h={44}
            variant="default"
            disabled={!mayChange}
            leftSection={<IconCamera size={18} />}
            onClick={() => file.current?.click()}
          >
            {t(device.photo ? 'settings.photo.replace' : 'settings.photo.choose')}
          </Button>
          {device.photo && (
            <Button h={44} variant="subtle" c="var(--bad)" disabled={!mayChange} loading={remove.isPending} onClick={() => remove.mutate()}>
              {t('settings.photo.remove')}
            </Button>
          )}
        </div>
      </div>
      <ChoiceCards
        legend={t('settings.photo.icon')}
        name="icon"
        isGrid
        disabled={!mayChange}
        value={(setIcon.isPending ? setIcon.variables : device.icon) ?? ''}
        onChange={(icon) => setIcon.mutate(icon)}
        choices={[
          { value: '', label: t(`kinds.${kind}`), icon: <KindDisc of={{ kind }} size={36} /> },
          ...TRACKER_ICONS.map((icon) => ({
            value: icon,
            label: t(`settings.icons.${icon}`),
            icon: <KindDisc of={{ kind, icon }} size={36} />,
          })),
        ]}
      />
      {picture && (
        <Suspense>
          <CropDialog device={device} picture={picture} onSaved={apply} onClose={() => setPicture(undefined)} />
        </Suspense>
      )}
    </div>
  )
}

/** Largest accepted side of a picture, in pixels: more needs more memory than phones have. */
const MAX_SIDE = 4096

/** Rotated according to the camera. Rejects files that the browser cannot read as a picture. */
async function readPicture(file: File) {
  const picture = await createImageBitmap(file)
  const { width, height } = picture
  if (width * height > PHOTO.maxPixels) throw new Error('too large')
  const scale = MAX_SIDE / Math.max(width, height)
  if (scale >= 1) return picture
  return createImageBitmap(picture, { resizeWidth: Math.round(width * scale), resizeHeight: Math.round(height * scale) })
}
