import { Component, type ReactNode } from 'react'

type Props = {
  children: ReactNode
  /** Drawn instead of the children; `retry` draws them again. */
  fallback: (error: unknown, retry: () => void) => ReactNode
  onRetry?: () => void
  /** A change of it, such as the address, tries again. */
  resetKey?: string
}

type State = { failed: { error: unknown } | null; resetKey: string | undefined }

/** React knows boundaries only as classes. */
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

  override render() {
    return this.state.failed ? this.props.fallback(this.state.failed.error, this.retry) : this.props.children
  }
}
