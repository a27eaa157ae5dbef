import { IconArrowRight, IconLogin2, IconLogout2 } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { placesQuery } from '#web/places/places.queries.ts'
import { Segmented } from '#web/ui/form/segmented.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import classes from './alert.module.css'
import type { Draft } from './use-draft.ts'

type Props = { draft: Draft; field: { name: string; error: string | undefined; 'aria-invalid': boolean } }

export function PlaceFields({ draft: { told, setTrigger, setPlace }, field }: Props) {
  const { t } = useTranslation()
  const places = useSuspenseQuery(placesQuery()).data
  return (
    <>
      <div className={classes.labelled}>
        <span aria-hidden="true">{t('alerts.when')}</span>
        <Segmented
          label={t('alerts.when')}
          value={told.trigger ?? 'enter'}
          onChange={setTrigger}
          options={[
            { value: 'enter', label: t('alerts.enter'), icon: <IconLogin2 size={18} /> },
            { value: 'leave', label: t('alerts.leave'), icon: <IconLogout2 size={18} /> },
          ]}
        />
      </div>
      <SelectField
        {...field}
        label={t('alerts.place')}
        required
        value={told.place ?? ''}
        onChange={({ target }) => setPlace(target.value ? Number(target.value) : null)}
        data={[{ value: '', label: t('alerts.choosePlace') }, ...places.map(({ id, name }) => ({ value: String(id), label: name }))]}
      />
      {places.length === 0 && (
        <p className={classes.hint}>
          {t('alerts.noPlace')}
          <Link to="/places/new" className={classes.link}>
            {t('title.placeNew')}
            <IconArrowRight size={18} aria-hidden="true" />
          </Link>
        </p>
      )}
    </>
  )
}
