import type { EventType } from '#contracts/mock/events.ts'

/** An action; a string that it returns or resolves to is shown in the status bar. */
export type TabAction = () => unknown

/** What a tab can do with its page and the portal. */
export type TabContext = {
  /** Replaces the content of the page. */
  fill(...parts: Node[]): void
  /** Runs an action and shows its message, or the error. */
  run(action: TabAction): Promise<void>
  /** Subscribes to events of the world while the tab is shown. */
  on(type: EventType, listener: (data: unknown) => void): void
  isShown(): boolean
  /** Reloads the portal so that it shows the changed state, then shows this message. */
  reload(message: string): void
}

export type Tab = { id: string; title: string; show(context: TabContext): Promise<void> | void }
