import { Button } from '@mantine/core'
import { IconServer, IconTrash } from '@tabler/icons-react'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { NewNetworkServer } from '#contracts/networks.ts'
import { showToast } from '#web/lib/toasts.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Row, RowNote, Rows } from '#web/ui/lists/row.tsx'
import classes from './networks.module.css'
import { networkServerApi, networkServerQuery } from './networks.queries.ts'

/** The ChirpStack server through which modes are sent to trackers. */
export function NetworkServer() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { server, servers } = useSuspenseQuery(networkServerQuery()).data
  const remove = async () => {
    queries.setQueryData(networkServerQuery().queryKey, await networkServerApi.remove())
    showToast(t('networks.server.removed'))
  }
  return (
    <>
      <h2>{t('networks.server.heading')}</h2>
      <p className={classes.lead}>{t('networks.server.lead')}</p>
      {server === null ? (
        <ServerForm servers={servers} />
      ) : (
        <Rows label={t('networks.server.heading')}>
          <Row icon={<IconServer size={20} aria-hidden="true" />} name={new URL(server).host} hint={server}>
            <IconButton label={t('networks.server.remove')} of={new URL(server).host} Icon={IconTrash} onClick={remove} />
          </Row>
        </Rows>
      )}
    </>
  )
}

function ServerForm({ servers }: { servers: readonly string[] }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { form, field, isBusy, failure } = useForm({
    schema: z.object({ url: NewNetworkServer.shape.url, token: NewNetworkServer.shape.token }),
    submit: async (body) => {
      queries.setQueryData(networkServerQuery().queryKey, await networkServerApi.save({ body }))
      showToast(t('networks.server.saved'))
    },
    failure: ({ fields }) => (fields.url ? t('networks.server.refused', { servers: servers.join(', ') }) : undefined),
  })
  return (
    <form {...form} className={classes.new}>
      <FormAlert>{failure}</FormAlert>
      <TextField
        {...field('url')}
        label={t('networks.server.url')}
        placeholder="https://chirpstack.example"
        maxLength={TEXT_LENGTH.networkServer}
        inputMode="url"
        autoComplete="off"
      />
      <TextField {...field('token')} label={t('networks.server.token')} maxLength={TEXT_LENGTH.networkServer} autoComplete="off" />
      <RowNote>{t('networks.server.tts')}</RowNote>
      <div>
        <Button type="submit" h={44} loading={isBusy}>
          {t('networks.server.save')}
        </Button>
      </div>
    </form>
  )
}
