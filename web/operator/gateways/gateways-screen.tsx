import { Button } from '@mantine/core'
import { IconPlus, IconRouter } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import type { Gateway } from '#contracts/operator/gateways.ts'
import { operatorApi } from '#contracts/operator/index.ts'
import { ignoreGone } from '#web/lib/api/api-error.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { gatewaysApi } from '#web/operator/session/operator.api.ts'
import { SecretDialog } from '#web/operator/staff/secret-dialog.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { DataTable } from '#web/ui/lists/data-table.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { Page } from '#web/ui/page.tsx'

const gatewaysQuery = () => queryOptions({ queryKey: ['gateways'], queryFn: ({ signal }) => gatewaysApi.list({}, { signal }) })

type Open = { is: 'make' } | { is: 'fresh'; key: string; label: string } | { is: 'end'; gateway: Gateway }

/** Keys with which the company's own network reports for every tracker. */
export default function GatewaysScreen() {
  const { t } = useTranslation()
  const count = useQuery({ ...gatewaysQuery(), enabled: false }).data?.length
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const make = (
    <Button h={44} leftSection={<IconPlus size={18} />} onClick={() => setOpen({ is: 'make' })}>
      {t('operator.gateways.make')}
    </Button>
  )
  return (
    <Page title={t('operator.screens.gateways')} {...(count !== undefined && { count })} lead={t('operator.gateways.lead')} actions={make}>
      <Part>
        <Gateways onEnd={(gateway) => setOpen({ is: 'end', gateway })} />
      </Part>
      {open?.is === 'make' && <MakeDialog onMade={(fresh) => setOpen({ is: 'fresh', ...fresh })} onClose={close} />}
      {open?.is === 'fresh' && (
        <SecretDialog
          title={t('operator.keys.fresh', { label: open.label })}
          lead={t('operator.keys.freshLead')}
          secret={open.key}
          copy={t('operator.keys.copy')}
          onClose={close}
        />
      )}
      {open?.is === 'end' && <EndDialog gateway={open.gateway} onClose={close} />}
    </Page>
  )
}

function Gateways({ onEnd }: { onEnd: (gateway: Gateway) => void }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const { data: gateways } = useSuspenseQuery(gatewaysQuery())
  if (gateways.length === 0) return <Empty icon={<IconRouter size={30} />} title={t('operator.gateways.none')} />
  return (
    <DataTable
      label={t('operator.screens.gateways')}
      rows={gateways}
      keyOf={({ id }) => id}
      columns={[
        { head: t('operator.staff.name'), cell: ({ label }) => label },
        { head: t('operator.keys.made'), cell: ({ created_at }) => created_at && formats.date(created_at) },
        {
          head: t('operator.keys.used'),
          cell: ({ last_used_at }) => (last_used_at ? formats.age(last_used_at, now) : t('operator.staff.never')),
        },
        {
          head: t('operator.actions'),
          isUnlabelled: true,
          isEnd: true,
          cell: (gateway) => (
            <Button variant="default" size="xs" h={32} aria-label={t('operator.gateways.endOf', gateway)} onClick={() => onEnd(gateway)}>
              {t('operator.keys.end')}
            </Button>
          ),
        },
      ]}
    />
  )
}

type MakeProps = { onMade: (fresh: { key: string; label: string }) => void; onClose: () => void }

function MakeDialog({ onMade, onClose }: MakeProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const form = useForm({
    schema: operatorApi.gateways.make.body,
    submit: async (body) => {
      const { gateway, key } = await gatewaysApi.make({ body })
      onClose()
      onMade({ key, label: gateway.label })
      await queries.invalidateQueries(gatewaysQuery())
    },
  })
  return (
    <FormDialog title={t('operator.gateways.make')} of={form} action={t('operator.gateways.make')} onClose={onClose}>
      <TextField {...form.field('label')} required maxLength={TEXT_LENGTH.keyLabel} label={t('operator.staff.name')} autoComplete="off" />
    </FormDialog>
  )
}

function EndDialog({ gateway, onClose }: { gateway: Gateway; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const end = async () => {
    await gatewaysApi.end({ params: { id: gateway.id } }).catch(ignoreGone)
    showToast(t('operator.gateways.ended', gateway))
    await queries.invalidateQueries(gatewaysQuery())
  }
  return (
    <ConfirmDialog title={t('operator.gateways.endOf', gateway)} action={t('operator.keys.end')} isDanger onConfirm={end} onClose={onClose}>
      {t('operator.gateways.endLead')}
    </ConfirmDialog>
  )
}
