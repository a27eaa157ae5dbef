import { Button } from '@mantine/core'
import { IconCloudExclamation, IconCloudOff } from '@tabler/icons-react'
import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Notice, NoticeButton } from './notice.tsx'

type Props = {
  children: ReactNode
  /** Rendered after an error; `retry` renders the children again. */
  fallback: (error: unknown, retry: () => void) => ReactNode
  /**
   * Clears the failure; called before a retry, and when a boundary that shows an error is unmounted, so that the next visit starts afresh.
   */
  onRetry?: () => void
  /** A change of this key, such as the URL, retries. */
  resetKey?: string
}

type State = { failed: { error: unknown } | null; resetKey: string | undefined }

/** A class, because React supports error boundaries only as classes. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: null, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failed: { error } }
  }

  static getDerivedStateFromProps({ resetKey, onRetry }: Props, state: State): Partial<State> | null {
    if (resetKey === state.resetKey) return null
    if (state.failed) onRetry?.()
    return { failed: null, resetKey }
  }

  retry = () => {
    this.props.onRetry?.()
    this.setState({ failed: null })
  }

  override componentWillUnmount() {
    if (this.state.failed) this.props.onRetry?.()
  }

  override render() {
    return this.state.failed ? this.props.fallback(this.state.failed.error, this.retry) : this.props.children
  }
}

export function Failure({ title, retry }: { title?: string | undefined; retry?: () => void }) {
  const { t } = useTranslation()
  return (
    <Notice
      role="alert"
      icon={<IconCloudOff />}
      title={title ?? t('error.load')}
      action={
        retry && (
          <Button variant="default" onClick={retry}>
            {t('action.retry')}
          </Button>
        )
      }
    />
  )
}

/** Shown under /error and in place of a crashed screen. */
export function ServerError({ retry }: { retry: () => void }) {
  const { t } = useTranslation()
  return (
    <Notice
      role="alert"
      isPage
      icon={<IconCloudExclamation size={30} />}
      title={t('error.server')}
      action={<NoticeButton onClick={retry}>{t('action.retry')}</NoticeButton>}
    >
      {t('error.serverLead')}
    </Notice>
  )
}
