import { Button } from '@mantine/core'
import { IconBellOff } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router-dom'
import type { AlertSilence } from '#contracts/accounts/silences.ts'
import type { Alert } from '#contracts/alerts.ts'
import { FIRING_KINDS } from '#contracts/firings.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { parseRole } from '#contracts/rules/user.ts'
import { ignoreGone } from '#web/lib/api/api-error.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useLocale } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { showToast } from '#web/lib/toasts.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { sessionQuery, useHasRight } from '#web/signed-in/user.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { Entries, Entry, EntryDisc } from '#web/ui/lists/entry.tsx'
import { useWhen } from './ends.ts'
import type { ProposedSilence } from './mute-dialog.tsx'
import classes from './silences.module.css'
import { isAbout, mutesAlert, silencesApi, silencesQuery, useSilences } from './silences.queries.ts'

const MuteDialog = lazy(() => import('./mute-dialog.tsx').then(({ MuteDialog }) => ({ default: MuteDialog })))

/** The running silences, of one tracker or of all, and the way to a new one. */
export function Silences({ device }: { device?: number }) {
  const { t } = useTranslation()
  const mayChange = useHasRight('changePlaces')
  const { search } = useLocation()
  const [muting, setMuting] = useState(() => (device === undefined ? readMuteLink(search) : null))
  const silences = useSilences().filter((silence) => device === undefined || isAbout(silence, device))
  if (!useFeature('silences')) return null
  return (
    <section className={classes.silences} aria-label={t('silence.list')}>
      {silences.length > 0 && (
        <Entries label={t('silence.list')}>
          {silences.map((silence) => (
            <SilenceEntry key={silence.id} silence={silence} mayEnd={mayChange} />
          ))}
        </Entries>
      )}
      {mayChange && (
        <Button variant="default" h={44} leftSection={<IconBellOff size={18} />} onClick={() => setMuting({})}>
          {t('silence.mute')}
        </Button>
      )}
      {muting && mayChange && (
        <Suspense>
          <MuteDialog {...(device !== undefined && { device })} about={muting} onClose={() => setMuting(null)} />
        </Suspense>
      )}
    </section>
  )
}

/** What a link proposes to mute, such as the button of a notification that could not do it itself. Only the dialog mutes it. */
function readMuteLink(search: string): ProposedSilence | null {
  const link = new URLSearchParams(search)
  if (link.get('sheet') !== 'mute') return null
  const kind = FIRING_KINDS.find((each) => each === link.get('kind'))
  return { tracker: link.get('tracker') ?? '', ...(kind && { kind }) }
}

function SilenceEntry({ silence, mayEnd }: { silence: AlertSilence; mayEnd: boolean }) {
  const { t } = useTranslation()
  const when = useWhen()
  const queries = useQueryClient()
  const name = useSubject(silence)
  const isMember = parseRole(useQuery(sessionQuery()).data?.role ?? 'user') === 'pro'
  const isOutOfReach = isMember && silence.everyone && silence.devices.length === 0
  const end = useMutation({
    mutationFn: () => silencesApi.remove({ params: { id: silence.id } }).catch(ignoreGone),
    onSuccess: () => showToast(t('silence.ended')),
    onError: () => showToast(t('error.general')),
    onSettled: () => queries.invalidateQueries(silencesQuery()),
  })
  return (
    <Entry
      name={name}
      icon={
        <EntryDisc isOff>
          <IconBellOff size={22} />
        </EntryDisc>
      }
      side={
        mayEnd &&
        !isOutOfReach && (
          <Button variant="default" h={44} loading={end.isPending} aria-label={t('silence.endOf', { name })} onClick={() => end.mutate()}>
            {t('silence.end')}
          </Button>
        )
      }
    >
      <strong>{name}</strong>
      <span>{t('silence.muted', { when: when(silence.until) })}</span>
      <small>{[t(silence.everyone ? 'silence.forEveryone' : 'silence.forMe'), silence.note].filter(Boolean).join(' · ')}</small>
    </Entry>
  )
}

/** What a silence is about, such as "Rex and Misty · Home". */
function useSubject({ devices, place, kinds }: AlertSilence) {
  const { t } = useTranslation()
  const locale = useLocale()
  const trackers = useQuery(devicesQuery()).data ?? []
  const places = useQuery({ ...placesQuery(), enabled: useFeature('places') && place !== null }).data ?? []
  const names = devices.flatMap((id) => trackers.find((tracker) => tracker.id === id)?.name ?? [])
  const who = devices.length === 0 ? t('fired.allTrackers') : new Intl.ListFormat(locale).format(names)
  const where = places.find(({ id }) => id === place)?.name
  const what = kinds.map((kind) => t(`fired.kinds.${pickListed(FIRING_KINDS, kind, 'low_battery')}`))
  return [who, where, ...what].filter(Boolean).join(' · ')
}

/** Until when an alert sends nothing; absent unless it is muted. */
export function MutedUntil({ alert }: { alert: Alert }) {
  const { t } = useTranslation()
  const when = useWhen()
  const last = useSilences()
    .filter((silence) => mutesAlert(silence, alert))
    .at(-1)
  return last ? <small>{t('silence.muted', { when: when(last.until) })}</small> : null
}
