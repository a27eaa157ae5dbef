import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { KindDisc } from '#web/trackers/parts/kind-disc.tsx'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { Failure } from '#web/ui/failure.tsx'
import { Tick } from '#web/ui/form/tick.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import classes from './place-form.module.css'

type Props = { chosen: readonly number[]; choose: (ids: readonly number[]) => void }

export function TrackersField({ chosen, choose }: Props) {
  const { t } = useTranslation()
  const { data: devices, isError, refetch } = useQuery(devicesQuery())
  if (isError && !devices) return <Failure retry={() => void refetch()} />
  if (!devices) return <SkeletonRows count={3} />
  const set = (id: number, isOn: boolean) => choose(isOn ? [...chosen, id] : chosen.filter((other) => other !== id))
  const isAll = devices.every(({ id }) => chosen.includes(id))
  return (
    <fieldset className={classes.trackers}>
      <legend>{t('places.trackers')}</legend>
      {devices.length === 0 && <p className={classes.note}>{t('trackers.none')}</p>}
      {devices.length > 0 && (
        <div>
          <div className={classes.all}>
            <Tick checked={isAll} onChange={({ target }) => choose(target.checked ? devices.map(({ id }) => id) : [])}>
              {t('home.allTrackers')}
            </Tick>
          </div>
          {devices.map(({ id, name, kind }) => (
            <Tick key={id} checked={chosen.includes(id)} onChange={({ target }) => set(id, target.checked)}>
              <span className={classes.tracker}>
                <KindDisc kind={kind} size={22} />
                {name}
              </span>
            </Tick>
          ))}
        </div>
      )}
    </fieldset>
  )
}
