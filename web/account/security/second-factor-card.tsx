import { Button } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { PASSKEY_NAME_LENGTH, type Passkey, passkeys } from '#contracts/accounts/second-factor.ts'
import classes from '#web/account/account.module.css'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { AddApp, AddPasskey } from './add-factor.tsx'
import { ProofForm } from './proof-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { passkeysApi, secondFactorApi, secondFactorQuery } from './security.queries.ts'

type Open = { is: 'app' } | { is: 'passkey' } | { is: 'appOff' } | { is: 'renew' } | { is: 'passkeyOff'; passkey: Passkey }

/** Which second factors protect the account, and how to add and remove one. */
export function SecondFactor() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const state = useSuspenseQuery(secondFactorQuery()).data
  const hasPasskeys = useFeature('passkeys')
  const [open, setOpen] = useState<Open | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const isOn = state.totp || state.passkeys.length > 0
  const finish = async (fresh: string[] | null = null) => {
    setOpen(null)
    setCodes(fresh)
    await queries.invalidateQueries({ queryKey: secondFactorQuery().queryKey })
  }
  const proofProps = { onCancel: () => setOpen(null) }
  return (
    <>
      <p className={classes.text}>{t(isOn ? 'account.factor.on' : state.required ? 'account.factor.required' : 'account.factor.off')}</p>
      {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      <div className={classes.row}>
        <p>
          <strong>{t('account.factor.app')}</strong>
          {state.totp && (
            <small data-state="ok">
              <IconCircleCheck size={16} aria-hidden="true" />
              {t('account.factor.active')}
            </small>
          )}
        </p>
        {state.totp ? (
          <Button variant="default" h={44} onClick={() => setOpen({ is: 'appOff' })}>
            {t('account.factor.turnOff')}
          </Button>
        ) : (
          state.may_add &&
          open?.is !== 'app' && (
            <Button h={44} onClick={() => setOpen({ is: 'app' })}>
              {t('account.factor.addApp')}
            </Button>
          )
        )}
      </div>
      {open?.is === 'app' && <AddApp onDone={finish} onCancel={proofProps.onCancel} />}
      {open?.is === 'appOff' && (
        <ProofForm
          {...proofProps}
          submit={t('account.factor.turnOff')}
          onProof={(body) => secondFactorApi.removeTotp({ body }, STAYS).then(() => finish())}
        />
      )}
      {hasPasskeys && (
        <>
          {(state.may_add || state.passkeys.length > 0) && (
            <div className={classes.row}>
              <p>
                <strong>{t('account.factor.passkeys')}</strong>
              </p>
              {state.may_add && open?.is !== 'passkey' && (
                <Button variant="default" h={44} onClick={() => setOpen({ is: 'passkey' })}>
                  {t('account.factor.addPasskey')}
                </Button>
              )}
            </div>
          )}
          {open?.is === 'passkey' && <AddPasskey onDone={finish} onCancel={proofProps.onCancel} />}
          {state.passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setOpen({ is: 'passkeyOff', passkey })} />
          ))}
          {open?.is === 'passkeyOff' && (
            <ProofForm
              {...proofProps}
              submit={t('account.factor.removePasskey', { name: open.passkey.name })}
              onProof={(body) => passkeysApi.remove({ params: { id: open.passkey.id }, body }, STAYS).then(() => finish())}
            />
          )}
        </>
      )}
      {isOn && (
        <div className={classes.row}>
          <p>
            <strong>{t('account.factor.codesLeft', { left: state.recovery_codes_left })}</strong>
          </p>
          <Button variant="default" h={44} onClick={() => setOpen({ is: 'renew' })}>
            {t('account.factor.newCodes')}
          </Button>
        </div>
      )}
      {open?.is === 'renew' && (
        <ProofForm
          {...proofProps}
          submit={t('account.factor.newCodes')}
          onProof={(body) => secondFactorApi.recoveryCodes({ body }, STAYS).then(({ recovery_codes }) => finish(recovery_codes))}
        />
      )}
      {!state.may_add && (
        <div className={classes.row}>
          <p className={classes.text}>{t('account.factor.signInAgain')}</p>
          <Button component={Link} to={`/login?${new URLSearchParams({ next: '/account/security' })}`} variant="default" h={44}>
            {t('account.factor.back')}
          </Button>
        </div>
      )}
    </>
  )
}

const STAYS = { staysOn401: true } as const

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const [isRenaming, setRenaming] = useState(false)
  const { name, created_at, last_used_at } = passkey
  return (
    <div className={classes.row}>
      <p>
        <strong>{name}</strong>
        <small>
          {last_used_at ? t('security.sessions.lastSeen', { time: formats.dateTime(last_used_at) }) : formats.dateTime(created_at)}
        </small>
      </p>
      <div className={classes.links}>
        <Button variant="default" h={44} onClick={() => setRenaming(true)} aria-label={t('account.factor.renamePasskey', { name })}>
          {t('account.factor.rename')}
        </Button>
        <Button variant="default" h={44} onClick={onRemove} aria-label={t('account.factor.removePasskey', { name })}>
          {t('action.delete')}
        </Button>
      </div>
      {isRenaming && <RenamePasskeyDialog passkey={passkey} onClose={() => setRenaming(false)} />}
    </div>
  )
}

function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const form = useForm({
    schema: passkeys.rename.body,
    submit: async (body) => {
      await passkeysApi.rename({ params: { id: passkey.id }, body })
      await queries.invalidateQueries({ queryKey: secondFactorQuery().queryKey })
      onClose()
    },
  })
  return (
    <FormDialog title={t('account.factor.renamePasskey', { name: passkey.name })} of={form} onClose={onClose}>
      <TextField
        {...form.field('name')}
        label={t('account.factor.passkeyName')}
        required
        maxLength={PASSKEY_NAME_LENGTH}
        autoComplete="off"
        defaultValue={passkey.name}
      />
    </FormDialog>
  )
}
