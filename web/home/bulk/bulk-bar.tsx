import { IconAdjustments, IconBell, IconDownload, IconRefresh, IconShare2, IconX, type Icon as TablerIcon } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Device } from '#contracts/trackers/devices.ts'
import { lazy } from '#web/lib/chunk.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeatures } from '#web/lib/other-backends/features.ts'
import { showToast } from '#web/lib/toasts.ts'
import { ShareSeveralDialog } from '#web/links/several/load-share-several.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { tagsQuery } from '#web/tags/tags.queries.ts'
import { trackersApi } from '#web/trackers/trackers.api.ts'
import { trackerKeys } from '#web/trackers/trackers.queries.tsx'
import classes from './bulk-bar.module.css'
import { changeSeveral, namesOf } from './change-several.ts'

const ModeSeveralDialog = lazy(() => import('./mode-several-dialog.tsx'))
const ExportSeveralDialog = lazy(async () => (await Promise.all([import('./export-several-dialog.tsx'), loadWords(['trackers'])]))[0])

type Props = { devices: readonly Device[]; onClear: () => void }

/** Trackers that an address names at most. */
const MAX_IN_ADDRESS = 200

/** What can be done with all ticked trackers at once. */
export function BulkBar({ devices, onClear }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const mayChange = useHasRight('changeTrackers')
  const mayAlert = useHasRight('changePlaces')
  const mayBuy = useHasRight('buy')
  const has = useFeatures()
  const [open, setOpen] = useState<'share' | 'mode' | 'export' | null>(null)
  const close = () => setOpen(null)
  const ids = devices
    .slice(0, MAX_IN_ADDRESS)
    .map(({ id }) => encodeURIComponent(id))
    .join()
  return (
    <section className={classes.bar} aria-label={t('list.bulk.label')}>
      <b role="status">{t('list.bulk.chosen', { number: formats.number(devices.length) })}</b>
      {mayChange && has('groupLinks') && devices.length > 1 && (
        <BarButton Icon={IconShare2} label={t('tracker.share')} onClick={() => setOpen('share')} />
      )}
      {mayChange && has('trackerChange') && <TagButton devices={devices} />}
      {mayChange && has('modes') && <BarButton Icon={IconAdjustments} label={t('mode.label')} onClick={() => setOpen('mode')} />}
      {mayAlert && has('alerts') && devices.length <= MAX_IN_ADDRESS && (
        <BarLink Icon={IconBell} label={t('list.bulk.alert')} to={`/alerts/new?tracker=${ids}`} />
      )}
      {has('exportCsv') && <BarButton Icon={IconDownload} label={t('list.bulk.export')} onClick={() => setOpen('export')} />}
      {mayBuy && has('subscriptions') && (
        <BarLink Icon={IconRefresh} label={t('list.bulk.renew')} to={`/subscriptionSelector?devices=${ids}`} />
      )}
      <button
        type="button"
        className={classes.button}
        data-end
        aria-label={t('list.bulk.clear')}
        title={t('list.bulk.clear')}
        onClick={onClear}
      >
        <IconX size={16} aria-hidden="true" />
      </button>
      <Suspense>
        {open === 'share' && <ShareSeveralDialog first={devices.map(({ id }) => id)} onClose={close} />}
        {open === 'mode' && <ModeSeveralDialog devices={devices} onClose={close} />}
        {open === 'export' && <ExportSeveralDialog devices={devices} onClose={close} />}
      </Suspense>
    </section>
  )
}

type Labelled = { Icon: TablerIcon; label: string }

const BarButton = ({ Icon, label, onClick }: Labelled & { onClick: () => void }) => (
  <button type="button" className={classes.button} onClick={onClick}>
    <Icon size={16} aria-hidden="true" />
    {label}
  </button>
)

const BarLink = ({ Icon, label, to }: Labelled & { to: string }) => (
  <Link className={classes.button} to={to}>
    <Icon size={16} aria-hidden="true" />
    {label}
  </Link>
)

/** Gives all of them one tag, or none; a tracker has at most one. */
function TagButton({ devices }: Pick<Props, 'devices'>) {
  const { t } = useTranslation()
  const formats = useFormats()
  const tags = useQuery(tagsQuery()).data ?? []
  const change = useTagChange()
  const replaced = devices.filter(({ tag }) => tag !== null).length
  return (
    <>
      <select
        className={classes.button}
        aria-label={t('list.tag')}
        value=""
        disabled={change.isPending}
        onChange={({ target: { value } }) => {
          const tag = tags.find(({ id }) => String(id) === value)
          change.mutate({ devices, tag: tag ? { id: tag.id, name: tag.name } : null })
        }}
      >
        <option value="" disabled hidden>
          {t('list.tag')}
        </option>
        {tags.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        <option value="none">{t('list.bulk.noTag')}</option>
      </select>
      {replaced > 0 && <small className={classes.note}>{t('list.bulk.replaces', { number: formats.number(replaced) })}</small>}
    </>
  )
}

type Change = { devices: readonly Device[]; tag: { id: number; name: string } | null }

/** Changes the tags, tells how many were changed and which were not, and offers to undo it. */
function useTagChange() {
  const { t } = useTranslation()
  const formats = useFormats()
  const queries = useQueryClient()
  const putAll = async (wanted: readonly { device: Device; tag: number | null }[]) => {
    const failed = await changeSeveral(wanted, ({ device: { id }, tag }) => trackersApi.change({ params: { id }, body: { tag } }))
    await queries.invalidateQueries({ queryKey: trackerKeys.devices })
    return failed
  }
  return useMutation({
    async mutationFn({ devices, tag }: Change) {
      const wanted = devices.filter((device) => device.tag?.id !== tag?.id)
      const failed = await putAll(wanted.map((device) => ({ device, tag: tag?.id ?? null })))
      const changed = wanted.filter((device) => !failed.includes(device))
      const undo = () => void putAll(changed.map((device) => ({ device, tag: device.tag?.id ?? null })))
      const number = formats.number(changed.length)
      const words = tag ? t('list.bulk.tagged', { number, tag: tag.name }) : t('list.bulk.untagged', { number })
      const names = namesOf(failed, formats.number)
      showToast(failed.length > 0 ? `${words} ${t('list.bulk.failed', { names })}` : words, changed.length > 0 ? undo : undefined)
    },
  })
}
