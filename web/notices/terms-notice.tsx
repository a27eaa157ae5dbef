import { Button } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import { terms } from '#contracts/accounts/terms.ts'
import { readLegal } from '#web/legal/legal-places.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { tabStorage } from '#web/lib/storage.ts'
import classes from './notices.module.css'

const termsApi = createClient(terms, clientPorts)

const termsKey = ['terms'] as const

/** The version of the terms in force, and the one that the signed-in user has accepted. */
const termsQuery = () => queryOptions({ queryKey: termsKey, queryFn: ({ signal }) => termsApi.read({}, { signal }) })

/** Asks to accept a new version of the terms. Until then everything works as before. */
export function TermsNotice() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { pathname } = useLocation()
  const current = useQuery(termsQuery()).data
  const version = current?.version
  const [putOff, setPutOff] = useState(() => tabStorage.get('termsPutOff'))
  const accept = useMutation({
    mutationFn: (accepted: string) => termsApi.accept({ body: { version: accepted } }),
    onSuccess: (now) => queries.setQueryData(termsKey, now),
    // The terms have changed once more.
    onError: () => void queries.invalidateQueries({ queryKey: termsKey }),
  })
  if (!version || version === current.accepted_version || version === putOff) return null
  const url = readLegal().terms?.url
  const read = t('legal.read')
  return (
    <section className={classes.notice} aria-label={t('legal.terms')}>
      <IconFileText size={20} aria-hidden="true" />
      <p>{accept.isError ? t('legal.notAccepted') : t(current.accepted_version === null ? 'legal.ask' : 'legal.changed')}</p>
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
