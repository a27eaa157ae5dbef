import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { Tick } from '#web/ui/form/tick.tsx'
import classes from './team.module.css'

type Props = { chosen: readonly number[]; onChange: (devices: number[]) => void }

export function TrackerTicks({ chosen, onChange }: Props) {
  const { t } = useTranslation()
  const devices = useQuery(devicesQuery()).data
  const toggle = (id: number, on: boolean) => onChange(on ? [...chosen, id] : chosen.filter((each) => each !== id))
  return (
    <fieldset className={classes.trackers}>
      <legend>{t('team.see')}</legend>
      {devices?.length === 0 && <p>{t('trackers.none')}</p>}
      <div>
        {devices?.map(({ id, name }) => (
          <Tick key={id} checked={chosen.includes(id)} onChange={({ currentTarget }) => toggle(id, currentTarget.checked)}>
            {name}
          </Tick>
        ))}
      </div>
    </fieldset>
  )
}
