import { Button } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import { readLegal } from '#web/legal/legal-places.ts'
import { tabStorage } from '#web/lib/storage.ts'
import classes from './notices.module.css'
import { termsApi, termsKey, termsQuery } from './terms.queries.ts'

/** Asks to accept a new version of the terms. Until then everything works as before. */
export function TermsNotice() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { pathname } = useLocation()
  const terms = useQuery(termsQuery()).data
  const version = terms?.version
  const [putOff, setPutOff] = useState(() => tabStorage.get('termsPutOff'))
  const accept = useMutation({
    mutationFn: (accepted: string) => termsApi.accept({ body: { version: accepted } }),
    onSuccess: (now) => queries.setQueryData(termsKey, now),
    // The terms have changed once more.
    onError: () => void queries.invalidateQueries({ queryKey: termsKey }),
  })
  if (!version || version === terms.accepted_version || version === putOff) return null
  const url = readLegal().terms?.url
  const read = t('legal.read')
  return (
    <section className={classes.notice} aria-label={t('legal.terms')}>
      <IconFileText size={20} aria-hidden="true" />
      <p>{accept.isError ? t('legal.notAccepted') : t(terms.accepted_version === null ? 'legal.ask' : 'legal.changed')}</p>
      <div className={classes.actions}>
        {url ? (
          <a href={url} target="_blank" rel="noreferrer">
            {read}
          </a>
        ) : (
          pathname !== '/legal/terms' && <Link to="/legal/terms">{read}</Link>
        )}
        <Button size="compact-md" loading={accept.isPending} onClick={() => accept.mutate(version)}>
          {t('legal.accept')}
        </Button>
        <Button
          size="compact-md"
          variant="subtle"
          onClick={() => {
            tabStorage.set('termsPutOff', version)
            setPutOff(version)
          }}
        >
          {t('action.later')}
        </Button>
      </div>
    </section>
  )
}
