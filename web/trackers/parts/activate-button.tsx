import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/devices.ts'
import { devicesApi, devicesQuery } from '#web/trackers/trackers.queries.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'

export function ActivateButton({ device }: { device: Device }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const activate = useMutation({
    mutationFn: () => devicesApi.activate({ params: { id: device.id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: devicesQuery().queryKey }),
  })
  return (
    <div style={{ display: 'grid', gap: 8, paddingBottom: 12 }}>
      <FormAlert>{activate.isError ? t('error.general') : null}</FormAlert>
      <Button loading={activate.isPending} onClick={() => activate.mutate()} h={44}>
        {t('tracker.activate')}
      </Button>
    </div>
  )
}
