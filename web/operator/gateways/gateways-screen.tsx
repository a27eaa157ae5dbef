import { Button } from '@mantine/core'
import { IconPlus, IconRouter } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import type { Gateway } from '#contracts/operator/gateways.ts'
import { operatorApi } from '#contracts/operator/index.ts'
import { gatewaysApi } from '#web/operator/session/operator.api.ts'
import { SecretDialog } from '#web/operator/staff/secret-dialog.tsx'
import { EndKeyDialog, KeyTable } from '#web/operator/workbench/key-table.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
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
      {open?.is === 'end' && (
        <EndKeyDialog
          title={t('operator.gateways.endOf', open.gateway)}
          done={t('operator.gateways.ended', open.gateway)}
          queryKey={gatewaysQuery().queryKey}
          onEnd={() => gatewaysApi.end({ params: { id: open.gateway.id } })}
          onClose={close}
        >
          {t('operator.gateways.endLead')}
        </EndKeyDialog>
      )}
    </Page>
  )
}

function Gateways({ onEnd }: { onEnd: (gateway: Gateway) => void }) {
  const { t } = useTranslation()
  const { data: gateways } = useSuspenseQuery(gatewaysQuery())
  if (gateways.length === 0) return <Empty icon={<IconRouter size={30} />} title={t('operator.gateways.none')} />
  return (
    <KeyTable
      label={t('operator.screens.gateways')}
      keys={gateways}
      name={t('operator.staff.name')}
      endOf={(gateway) => t('operator.gateways.endOf', gateway)}
      onEnd={onEnd}
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
