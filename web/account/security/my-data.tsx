import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type DataCopy, myData } from '#contracts/accounts/my-data.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { saveFile } from '#web/lib/api/download.ts'
import { pollEvery } from '#web/lib/api/query.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useRecentSignIn } from '#web/signed-in/recent-sign-in/use-recent-sign-in.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import classes from './security.module.css'

const myDataApi = createClient(myData, clientPorts)

const POLL_MS = 3000

/** The list contains at most one copy; it is polled until the copy is ready. */
const dataCopiesQuery = () =>
  queryOptions({
    queryKey: ['dataCopies'],
    queryFn: ({ signal }) => myDataApi.list({}, { signal }),
    refetchInterval: ({ state }) => (state.data?.some((copy) => copy.state === 'running') ? pollEvery(POLL_MS)() : false),
  })

/** A copy of all data that is stored about the user. */
export function MyData() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { confirmed, dialog } = useRecentSignIn()
  const [copy] = useSuspenseQuery(dataCopiesQuery()).data
  const requesting = useMutation({
    mutationFn: async () => {
      // Another tab may have requested one already.
      await confirmed((options) => myDataApi.create({}, options)).catch((error) => {
        if (error.code !== 'export_running') throw error
      })
      await queries.invalidateQueries(dataCopiesQuery())
    },
  })
  return (
    <>
      <p className={classes.lead}>{t('security.data.lead')}</p>
      <div role="status">{copy && <CopyState copy={copy} />}</div>
      {copy?.state !== 'running' && (
        <Button variant="default" h={44} className={classes.all ?? ''} loading={requesting.isPending} onClick={() => requesting.mutate()}>
          {t('security.data.request')}
        </Button>
      )}
      <Problem error={requesting.error} />
      {dialog}
    </>
  )
}

function CopyState({ copy: { id, state, created, until } }: { copy: DataCopy }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const downloading = useMutation({
    mutationFn: async () => saveFile(await myDataApi.file({ params: { id } }), `my-data-${created.slice(0, 10)}.zip`, 'application/zip'),
  })
  if (state === 'running' || until === null) return <p>{t('security.data.running')}</p>
  return (
    <div className={classes.copy}>
      <p>{t('security.data.ready', { time: formats.dateTime(until) })}</p>
      <Button
        h={44}
        className={classes.all ?? ''}
        leftSection={<IconDownload size={18} aria-hidden="true" />}
        loading={downloading.isPending}
        onClick={() => downloading.mutate()}
      >
        {t('security.data.download')}
      </Button>
      <Problem error={downloading.error} />
    </div>
  )
}

function Problem({ error }: { error: Error | null }) {
  const { t } = useTranslation()
  if (!error || (error instanceof ApiError && error.isLeaving)) return null
  return <FormAlert>{t(error instanceof ApiError && error.code === 'throttled' ? 'security.data.tooMany' : 'error.general')}</FormAlert>
}
