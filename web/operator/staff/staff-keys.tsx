import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { operatorApi } from '#contracts/operator/index.ts'
import type { StaffKey } from '#contracts/operator/staff.ts'
import { keysApi } from '#web/operator/session/operator.api.ts'
import { roleName } from '#web/operator/session/role-name.ts'
import { EndKeyDialog, KeyTable } from '#web/operator/workbench/key-table.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
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
      {keys.length === 0 && <p>{t('operator.keys.none')}</p>}
      {keys.length > 0 && (
        <KeyTable
          label={t('operator.keys.title')}
          keys={keys}
          name={t('operator.keys.label')}
          columns={[
            {
              head: t('operator.staff.role'),
              sort: 'role',
              value: ({ role }) => roleName(t, role),
              cell: ({ role }) => roleName(t, role),
            },
          ]}
          sortName="sort_keys"
          endOf={(entry) => t('operator.keys.endOf', entry)}
          onEnd={(entry) => setOpen({ is: 'end', entry })}
        />
      )}
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
      {open?.is === 'end' && (
        <EndKeyDialog
          title={t('operator.keys.endOf', open.entry)}
          done={t('operator.keys.ended', open.entry)}
          queryKey={keysQuery().queryKey}
          onEnd={() => keysApi.end({ params: { id: open.entry.id } })}
          onClose={close}
        >
          {t('operator.keys.endLead')}
        </EndKeyDialog>
      )}
    </section>
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
