import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { operatorApi } from '#contracts/operator/index.ts'
import type { StaffKey } from '#contracts/operator/staff.ts'
import { ignoreGone } from '#web/lib/api/api-error.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { keysApi } from '#web/operator/session/operator.api.ts'
import { roleName } from '#web/operator/session/role-name.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { DataTable } from '#web/ui/lists/data-table.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { RoleField } from './role-field.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { keysQuery } from './staff.queries.ts'
import classes from './staff-screen.module.css'

type Open = { is: 'add' } | { is: 'fresh'; key: string; label: string } | { is: 'end'; entry: StaffKey }

/** Keys for other systems of the company, such as its shop. */
export function StaffKeys() {
  const { t } = useTranslation()
  const { data: keys } = useSuspenseQuery(keysQuery())
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  return (
    <section className={classes.keys} aria-label={t('operator.keys.title')}>
      <div className={classes.head}>
        <h2>{t('operator.keys.title')}</h2>
        <Button variant="default" h={44} leftSection={<IconPlus size={18} />} onClick={() => setOpen({ is: 'add' })}>
          {t('operator.keys.add')}
        </Button>
      </div>
      <p className={classes.lead}>{t('operator.keys.lead')}</p>
      {keys.length > 0 ? <KeyTable keys={keys} onEnd={(entry) => setOpen({ is: 'end', entry })} /> : <p>{t('operator.keys.none')}</p>}
      {open?.is === 'add' && <AddKeyDialog onAdded={(fresh) => setOpen({ is: 'fresh', ...fresh })} onClose={close} />}
      {open?.is === 'fresh' && (
        <SecretDialog
          title={t('operator.keys.fresh', { label: open.label })}
          lead={t('operator.keys.freshLead')}
          secret={open.key}
          copy={t('operator.keys.copy')}
          onClose={close}
        />
      )}
      {open?.is === 'end' && <EndKeyDialog entry={open.entry} onClose={close} />}
    </section>
  )
}

function KeyTable({ keys, onEnd }: { keys: readonly StaffKey[]; onEnd: (entry: StaffKey) => void }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  return (
    <DataTable
      label={t('operator.keys.title')}
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        { head: t('operator.keys.label'), cell: ({ label }) => label },
        { head: t('operator.staff.role'), cell: ({ role }) => roleName(t, role) },
        { head: t('operator.keys.made'), cell: ({ created_at }) => formats.date(created_at) },
        {
          head: t('operator.keys.used'),
          cell: ({ last_used_at }) => (last_used_at ? formats.age(last_used_at, now) : t('operator.staff.never')),
        },
        {
          head: t('operator.actions'),
          isUnlabelled: true,
          isEnd: true,
          cell: (entry) => (
            <Button variant="default" size="xs" h={32} aria-label={t('operator.keys.endOf', entry)} onClick={() => onEnd(entry)}>
              {t('operator.keys.end')}
            </Button>
          ),
        },
      ]}
    />
  )
}

type AddProps = { onAdded: (fresh: { key: string; label: string }) => void; onClose: () => void }

function AddKeyDialog({ onAdded, onClose }: AddProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const form = useForm({
    schema: operatorApi.staffKeys.add.body,
    submit: async (body) => {
      const { entry, key } = await keysApi.add({ body })
      onClose()
      onAdded({ key, label: entry.label })
      await queries.invalidateQueries(keysQuery())
    },
  })
  return (
    <FormDialog title={t('operator.keys.add')} of={form} action={t('operator.keys.add')} onClose={onClose}>
      <TextField {...form.field('label')} required maxLength={TEXT_LENGTH.keyLabel} label={t('operator.keys.label')} autoComplete="off" />
      <RoleField {...form.field('role')} />
    </FormDialog>
  )
}

function EndKeyDialog({ entry, onClose }: { entry: StaffKey; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const end = async () => {
    await keysApi.end({ params: { id: entry.id } }).catch(ignoreGone)
    showToast(t('operator.keys.ended', entry))
    await queries.invalidateQueries(keysQuery())
  }
  return (
    <ConfirmDialog title={t('operator.keys.endOf', entry)} action={t('operator.keys.end')} isDanger onConfirm={end} onClose={onClose}>
      {t('operator.keys.endLead')}
    </ConfirmDialog>
  )
}
