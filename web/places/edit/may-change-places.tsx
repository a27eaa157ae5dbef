import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { sessionQuery, useHasRight } from '#web/signed-in/user.queries.ts'
import classes from './place-form.module.css'

/** Whether the user may change places; undefined until the role is known. */
export function useMayChangePlaces() {
  const may = useHasRight('changePlaces')
  return useQuery(sessionQuery()).data ? may : undefined
}

export const ReadOnlyNote = () => <p className={classes.readOnly}>{useTranslation().t('places.readOnly')}</p>
