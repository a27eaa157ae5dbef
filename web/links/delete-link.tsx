import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { PublicLink } from '#contracts/links.ts'
import { ignoreGone } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { allPublicLinksQuery, linkKeys, linksApi } from './links.queries.ts'

export function DeleteLinkDialog({ link: { uuid, label, devices }, onClose }: { link: PublicLink; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const remove = async () => {
    await linksApi.remove({ params: { uuid } }).catch(ignoreGone)
    queries.setQueryData(allPublicLinksQuery().queryKey, (links) => links?.filter((link) => link.uuid !== uuid))
    showToast(t('publicLinks.deleted'))
    await queries.invalidateQueries({ queryKey: linkKeys.all })
  }
  return (
    <ConfirmDialog
      title={t('publicLinks.deleteTitle', { name: label })}
      action={t('action.delete')}
      isDanger
      onConfirm={remove}
      onClose={onClose}
    >
      {devices ? t('publicLinks.deleteLeadSeveral', { names: devices.map(({ name }) => name).join(', ') }) : t('publicLinks.deleteLead')}
    </ConfirmDialog>
  )
}
