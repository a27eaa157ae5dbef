import { Button } from '@mantine/core'
import { IconKey, IconTrash } from '@tabler/icons-react'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import type { NetworkKey, NewNetworkKey } from '#contracts/networks.ts'
import { MAX_NETWORK_KEYS, type Network } from '#contracts/rules/reading/network-number.ts'
import { personName } from '#contracts/rules/user.ts'
import { clientPorts } from '#web/lib/api/api.ts'
import { ignoreGone } from '#web/lib/api/api-error.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { showToast } from '#web/lib/toasts.ts'
import { CopyField } from '#web/phones/copy-field.tsx'
import { useRecentSignIn } from '#web/signed-in/recent-sign-in/use-recent-sign-in.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Row, RowNote, Rows } from '#web/ui/lists/row.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { NetworkServer } from './network-server.tsx'
import classes from './networks.module.css'
import { networkKeysApi, networkKeysQuery } from './networks.queries.ts'

/** Names of the products, the same in every language. */
const NAMES: Record<Network, string> = {
  helium: 'Helium',
  chirpstack: 'ChirpStack',
  tts: 'The Things Stack',
  thingpark: 'ThingPark',
  sigfox: 'Sigfox',
  traccar: 'Traccar',
}
const KEY_HEADER = 'X-Device-Key'

/** The values to paste into a network's console, so that it reports for the account's trackers. */
export function ConnectNetwork() {
  const { t } = useTranslation()
  const [made, setMade] = useState<NewNetworkKey | null>(null)
  const hasDownlinks = useFeature('networkServer')
  return (
    <section className={classes.connect} aria-label={t('networks.connect')}>
      <h2>{t('networks.connect')}</h2>
      <p className={classes.lead}>{t('networks.connectLead')}</p>
      {made ? (
        <NetworkSetup made={made} onDone={() => setMade(null)} />
      ) : (
        <Part>
          <Keys onMade={setMade} />
        </Part>
      )}
      {hasDownlinks && (
        <Part>
          <NetworkServer />
        </Part>
      )}
    </section>
  )
}

function NetworkSetup({ made, onDone }: { made: NewNetworkKey; onDone: () => void }) {
  const { t } = useTranslation()
  const [network, setNetwork] = useState<Network>('helium')
  const networks = Object.entries(NAMES).map(([value, label]) => ({ value, label }))
  // The portal may have another origin than the address that the server has in its own settings.
  const base = new URL(clientPorts().base || '/', location.origin).href.replace(/\/$/, '')
  return (
    <>
      <RowNote>{t('networks.once')}</RowNote>
      <div className={classes.new}>
        <SelectField
          name="network"
          label={t('networks.network')}
          data={networks}
          defaultValue={network}
          onChange={({ target }) => setNetwork(target.value as Network)}
        />
      </div>
      <p className={classes.lead}>{t('networks.paste')}</p>
      <Rows label={t('networks.connect')}>
        <CopyField label={t('networks.url')} value={`${base}/ingest/${network}`} />
        <CopyField label={t('networks.header')} value={KEY_HEADER} />
        <CopyField label={t('networks.key')} value={made.key} />
      </Rows>
      <div>
        <Button h={44} onClick={onDone}>
          {t('phones.done')}
        </Button>
      </div>
    </>
  )
}

function Keys({ onMade }: { onMade: (key: NewNetworkKey) => void }) {
  const { t } = useTranslation()
  const keys = useSuspenseQuery(networkKeysQuery()).data
  return (
    <>
      {keys.length > 0 && (
        <Rows label={t('networks.keys')}>
          {keys.map((key) => (
            <KeyRow key={key.id} of={key} />
          ))}
        </Rows>
      )}
      {keys.length < MAX_NETWORK_KEYS ? (
        <NewKeyForm onMade={onMade} />
      ) : (
        <RowNote>{t('networks.tooMany', { n: MAX_NETWORK_KEYS })}</RowNote>
      )}
    </>
  )
}

function NewKeyForm({ onMade }: { onMade: (key: NewNetworkKey) => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { confirmed, dialog } = useRecentSignIn()
  const { form, field, isBusy, failure } = useForm({
    schema: z.object({ label: z.string() }),
    submit: async (body) => {
      onMade(await confirmed((options) => networkKeysApi.create({ body }, options)))
      await queries.invalidateQueries(networkKeysQuery())
    },
    failure: ({ code }) => (code === 'too_many_keys' ? t('networks.tooMany', { n: MAX_NETWORK_KEYS }) : undefined),
  })
  return (
    <>
      <form {...form} className={classes.new}>
        <FormAlert>{failure}</FormAlert>
        <TextField
          {...field('label')}
          label={t('networks.label')}
          placeholder={t('networks.labelExample')}
          maxLength={TEXT_LENGTH.keyLabel}
          autoComplete="off"
        />
        <div>
          <Button type="submit" h={44} loading={isBusy}>
            {t('networks.create')}
          </Button>
        </div>
      </form>
      {dialog}
    </>
  )
}

function KeyRow({ of: { id, label, last_used_at, created_by: maker } }: { of: NetworkKey }) {
  const { t, i18n } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const name = label || t('networks.unnamed')
  const revoke = async () => {
    await networkKeysApi.remove({ params: { key: id } }).catch(ignoreGone)
    showToast(t('networks.revoked'))
    await queries.invalidateQueries(networkKeysQuery())
  }
  const used = last_used_at ? t('phones.used', { age: formats.age(new Date(last_used_at), now) }) : t('phones.never')
  const madeBy = maker && t('publicLinks.madeBy', { name: personName(maker.first_name, maker.last_name, i18n.language) })
  return (
    <Row icon={<IconKey size={20} aria-hidden="true" />} name={name} hint={[used, madeBy].filter(Boolean).join(' · ')}>
      <IconButton label={t('networks.revoke')} of={name} Icon={IconTrash} onClick={() => setAsking(true)} />
      {isAsking && (
        <ConfirmDialog
          title={t('networks.revokeAsk', { name })}
          action={t('networks.revoke')}
          isDanger
          onConfirm={revoke}
          onClose={() => setAsking(false)}
        >
          {t('networks.revokeLead')}
        </ConfirmDialog>
      )}
    </Row>
  )
}
